"""Cuts the fonts to what the pages need, and keeps static/vendor/SHA256SUMS.

    npm ci --ignore-scripts
    pip install -r fonts-requirements.txt
    python fonts.py            writes the fonts and the sums
    python fonts.py --check    compares the files with the sums, changes nothing

The text's font is Source Serif 4, from the package in package.json: the weights that the stylesheets ask for. The
formulas' font is STIX Two Math, as the package ziamath carries it: with the MATH table, which lets brackets and roots
stretch, and the glyphs for large operators and scripts that it refers to. Each is in two files, of which a page loads
the second only where it has a character of it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VENDOR = Path(os.environ.get("VENDOR_DIR", HERE.parent / "static" / "vendor"))
MATH, MATH_GREEK = (VENDOR / "fonts" / f"stix-two-math-{name}.woff2" for name in ("subset", "greek"))
SERIF = HERE / "node_modules" / "@fontsource-variable" / "source-serif-4" / "files"
SERIF_STYLES = ("normal", "italic")
SERIF_WEIGHTS = (400, 650)  # as in the @font-face rules of static/css/base.css, and so are the characters
SERIF_COMMON = {*range(0x20, 0x7F), *map(ord, "\u00a0°±·×÷²¼½¾äéèöü‘’“”–—…−")}
SERIF_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "pnum", "tnum"]
SUMS = VENDOR / "SHA256SUMS"
OPERATORS = "·×÷±¬°½⅓¼⅔¾²³¹…−∕∑∏√∞∂∇∈∉∝∀∃←→↑↓⇒↦≤≥≠≈≡∼⋅⋯⋮⋱‖⟨⟩⌊⌋⌈⌉⊤⊙∥′″ℝℕ𝟙\u2061\u2062\u2063\u2064"
MATH_ITALIC_LATIN = range(0x1D434, 0x1D468)
GREEK = {*range(0x391, 0x3CA), *range(0x1D6E2, 0x1D71C)}  # upright and italic


# Italic h lies outside its block.
MATH_COMMON = {*range(0x20, 0x7F), *MATH_ITALIC_LATIN, 0x210E, *map(ord, OPERATORS)}


def write_math() -> None:
    import ziamath  # type: ignore[import-not-found]  # in fonts-requirements.txt, for maintainers

    source = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    for characters, path in ((MATH_COMMON, MATH), (GREEK, MATH_GREEK)):
        # Optical variants for scripts would double the size.
        save(cut(source, characters, features=[]), path)


def write_serif(style: str) -> None:
    from fontTools.ttLib import TTFont  # type: ignore[import-not-found]
    from fontTools.varLib import instancer  # type: ignore[import-not-found]

    source = SERIF / f"source-serif-4-latin-wght-{style}.woff2"
    others = set(TTFont(source).getBestCmap()) - SERIF_COMMON
    for name, characters in ((style, SERIF_COMMON), (f"{style}-accents", others)):
        font = cut(source, characters, features=SERIF_FEATURES)
        instancer.instantiateVariableFont(font, {"wght": SERIF_WEIGHTS}, inplace=True)
        save(font, VENDOR / "fonts" / f"source-serif-4-{name}.woff2")


def cut(source: Path, characters: set[int], *, features: list[str]) -> Any:
    """The part of the font in `source` that these code points need."""
    from fontTools import subset  # type: ignore[import-not-found]

    options = subset.Options()
    options.layout_features = features
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.recalc_timestamp = False
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    return font


def save(font: Any, path: Path) -> None:
    font.flavor = "woff2"
    font.save(path, reorderTables=True)
    print(f"{path.name}: {path.stat().st_size} bytes")


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
    write_math()
    for style in SERIF_STYLES:
        write_serif(style)
    SUMS.write_text(sums())
    return 0


if __name__ == "__main__":
    sys.exit(main())
