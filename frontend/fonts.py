"""Cuts the math font to what the lessons need, and keeps static/vendor/SHA256SUMS.

    pip install -r fonts-requirements.txt
    python fonts.py            writes the font and the sums
    python fonts.py --check    compares the files with the sums, changes nothing

The source is STIX Two Math, as the package ziamath carries it. The subset keeps the MATH table, which lets
brackets and roots stretch, and the glyphs for large operators and scripts that it refers to.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

VENDOR = Path(os.environ.get("VENDOR_DIR", Path(__file__).resolve().parent.parent / "static" / "vendor"))
FONT = VENDOR / "fonts" / "stix-two-math-subset.woff2"
SUMS = VENDOR / "SHA256SUMS"
OPERATORS = "·×÷±¬°½⅓¼⅔¾²³¹…−∕∑∏√∞∂∇∈∉∝∀∃←→↑↓⇒↦≤≥≠≈≡∼⋅⋯⋮⋱‖⟨⟩⌊⌋⌈⌉⊤⊙∥′″ℝℕ𝟙\u2061\u2062\u2063\u2064"
GREEK = (0x391, 0x3C9)
MATH_ITALIC_LATIN = (0x1D434, 0x1D467)
MATH_ITALIC_GREEK = (0x1D6E2, 0x1D71B)


def code_points() -> set[int]:
    """The characters that the subset keeps."""
    ranges = [(0x20, 0x7E), GREEK, MATH_ITALIC_LATIN, MATH_ITALIC_GREEK]
    kept = {ord(character) for character in OPERATORS} | {0x210E}  # italic h lies outside its block
    return kept.union(*(range(first, last + 1) for first, last in ranges))


def write_font() -> None:
    import ziamath  # type: ignore[import-not-found]  # in fonts-requirements.txt, for maintainers
    from fontTools import subset  # type: ignore[import-not-found]

    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = []  # optical variants for scripts would double the size
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.recalc_timestamp = False
    source = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=code_points())
    subsetter.subset(font)
    subset.save_font(font, str(FONT), options)


def sums() -> str:
    """One line a vendored file, as sha256sum prints it."""
    files = sorted(path for path in VENDOR.rglob("*") if path.is_file() and path not in {SUMS, VENDOR / "README.md"})
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(VENDOR).as_posix()}\n" for path in files
    )


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        same = SUMS.read_text() == sums()
        print("vendored files are as recorded" if same else f"vendored files differ from {SUMS.name}")
        return 0 if same else 1
    write_font()
    SUMS.write_text(sums())
    print(f"{FONT.name}: {FONT.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
