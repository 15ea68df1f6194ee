"""A learner's file as it came, to the text that is handed to a session.

Only what every editor and every operating system differ in is made alike: a
byte order mark and the ends of lines. Nothing else is changed, so that line
numbers and strings stay the learner's own. A no-break space in code is left to
Python, whose syntax error names its line and column.
"""

from __future__ import annotations

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class SourceRefused(Exception):  # noqa: N818 a refusal, not a fault
    """A source that is not even run; its text is one sentence for the learner."""


def normalise_source(data: bytes, limit: int) -> str:
    """Source as text with "\\n" line ends and no byte order mark.

    Raises SourceRefused if it is larger than `limit` bytes, not UTF-8, holds a
    NUL byte, or is empty or blank.
    """
    if len(data) > limit:
        raise SourceRefused(f"The source is larger than {limit:,} bytes ({limit / 1024:g} KB), the most accepted.")
    text = _decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SourceRefused(f"Line {line} holds a NUL byte, which Python source may not contain.")
    if not text.strip():
        raise SourceRefused("The source is empty: write the function and send it again.")
    return text


def _decoded(data: bytes) -> str:
    if data.startswith(UTF16_MARKS):
        raise SourceRefused("The file is UTF-16, not UTF-8: save it as UTF-8 and send it again.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # utf-8-sig counts positions after the mark that it drops.
        whole = data.removeprefix(b"\xef\xbb\xbf")
        line = _line_of(whole, error.start)
        byte = whole[error.start]
        raise SourceRefused(f"Line {line} is not UTF-8 (byte 0x{byte:02X}): save the file as UTF-8.") from None


def _line_of(data: bytes, position: int) -> int:
    before = data[:position].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1
