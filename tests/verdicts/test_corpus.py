"""Every file of the corpus gets the verdict that its first lines ask for.

`# status:` of the whole; `# mistakes:` that are named, in order (left out where it does not matter);
`# says:` what some message contains; `# hides:` what no hidden check's message may contain.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.judging import judge
from grader.reports import report_to_json
from grader.sandbox import Sandbox
from grader.verdicts import Job, Report, Status, Visibility
from tests.verdicts.exercise import CHECKS, exercise

CORPUS = sorted((Path(__file__).parent / "attention").glob("*.py"))
RIGHT = (Path(__file__).parent / "attention" / "right_tuple.py").read_bytes()
SEED = 20_261_017


def expectations(source: str) -> dict[str, str]:
    header = [line[2:] for line in source.split("\n")[:4] if line.startswith("# ")]
    return {key: value.strip() for key, _, value in (line.partition(":") for line in header)}


def verdict(source: bytes, sandbox: Sandbox, seed: int = SEED) -> Report:
    return judge(Job(exercise(), source, seed), sandbox)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_verdict(path: Path, sandbox: Sandbox) -> None:
    source = path.read_text(encoding="utf-8")
    asked = expectations(source)
    report = verdict(source.encode(), sandbox)
    messages = "\n".join([report.message, *(check.message for check in report.checks)])
    assert report.status == asked["status"], messages
    if "mistakes" in asked:
        assert list(report.mistakes) == [name for name in asked["mistakes"].split(", ") if name], messages
    assert asked.get("says", "") in messages
    hidden = [check for check in report.checks if check.visibility is not Visibility.SHOWN]
    for check in hidden:
        assert "hides" not in asked or asked["hides"] not in check.message
        assert check.case is None or (report.passed and check.visibility is Visibility.AFTER_PASSING)
    assert (report.points == report.max_points) is report.passed
    json.dumps(report_to_json(report), allow_nan=False)


def test_the_next_submission_is_unaffected(sandbox: Sandbox) -> None:
    """Runs after all of the corpus, in the same sandbox."""
    assert verdict(RIGHT, sandbox).passed


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) > 80
    statuses = {expectations(path.read_text(encoding="utf-8"))["status"] for path in CORPUS}
    assert statuses == {"passed", "failed", "error", "timeout", "memory", "output", "crashed"}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b"", "The source is empty"),
        (b" \n\t\n", "The source is empty"),
        (b"# " + b"x" * 65_536, "larger than 65,536 bytes"),
        (b"x = 1\ny = '\xe9'\n", "Line 2 is not UTF-8 (byte 0xE9)"),
        (b"x = 1\r\ny = 2\rz = '\xff'\n", "Line 3 is not UTF-8 (byte 0xFF)"),
        (b"\xef\xbb\xbfx = 1\ny = '\xe9'\n", "Line 2 is not UTF-8 (byte 0xE9)"),
        (b"x = 1\n\0\n", "Line 2 holds a NUL byte"),
        ("def attention(Q, K, V): ...\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_refused_before_anything_runs(source: bytes, sentence: str, sandbox: Sandbox) -> None:
    report = verdict(source, sandbox)
    assert report.status is Status.REFUSED
    assert sentence in report.message
    assert [check.status for check in report.checks] == [Status.REFUSED] * len(CHECKS)
    assert report.checks[0].message == report.message
    assert (report.points, report.session_ms, report.mistakes) == (0, 0, ())


@pytest.mark.parametrize(
    "source",
    [
        RIGHT.replace(b"\n", b"\r\n"),
        RIGHT.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + RIGHT,
        b"# -*- coding: latin-1 -*-\n# caf\xc3\xa9\n" + RIGHT,
        RIGHT.replace(b"weights of", b"w\xc2\xa0of"),
        RIGHT.rstrip(b"\n"),
        RIGHT + b"# " + b"x" * (65_536 - len(RIGHT) - 2),
    ],
    ids=["CRLF", "CR", "BOM", "cookie", "no-break space in text", "no last newline", "exactly 64 KB"],
)
def test_accepted_as_it_comes(source: bytes, sandbox: Sandbox) -> None:
    report = verdict(source, sandbox)
    assert report.passed, report.message


def test_lines_are_counted_as_the_learner_sees_them(sandbox: Sandbox) -> None:
    report = verdict(b"\xef\xbb\xbfimport numpy\r\n\r\ndef attention(Q, K, V):\r\n    return numpy.no\r\n", sandbox)
    assert "AttributeError at line 4" in report.checks[0].message
