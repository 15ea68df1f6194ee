"""LaTeX to MathML when a package is compiled: no script on the page, and no formula that is silently wrong."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

from courses.package.markup import embedded, local_name

# What latex2mathml reads without complaint although it means nothing.
ENVIRONMENT = re.compile(r"\\begin\s*\{([^}]*)\}")
ENVIRONMENTS = {
    *("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix"),
    *("cases", "array", "align", "align*", "aligned", "split", "gather", "gathered", "substack"),
}
CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
# Named widths left MathML; browsers take them for 0.
WIDTHS = {
    "negativethinmathspace": "-0.167em",
    "negativemediummathspace": "-0.222em",
    "negativethickmathspace": "-0.278em",
    "thinmathspace": "0.167em",
    "mediummathspace": "0.222em",
    "thickmathspace": "0.278em",
}


class MathError(ValueError):
    """A formula that cannot be shown as it was meant."""


@cache
def mathml(latex: str, *, display: bool) -> str:
    """`latex` as a `<math>` element. Raises MathError with what to correct."""
    _lint(latex)
    try:
        written = convert(latex, display="block" if display else "inline")
    except Exception as error:  # latex2mathml raises exceptions of many kinds, with no common base
        said = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Error")).lower()
        raise MathError(f"{said} in the formula {_shown(latex)}") from error
    root = ElementTree.fromstring(written)  # noqa: S314 written by latex2mathml a line ago
    for element in root.iter():
        _check(element, latex)
        _unspace(element)
    root.set("dir", "ltr")
    return embedded(root)


def _unspace(element: ElementTree.Element) -> None:
    """Infinity and the names of functions are no operators, which browsers put spaces around."""
    text = element.text or ""
    if local_name(element) == "mo" and (text == "∞" or (len(text) > 1 and text.isalpha())):
        element.tag = element.tag.removesuffix("mo") + "mi"


def _shown(latex: str) -> str:
    """As it stands in the text, in one line."""
    return f"${' '.join(latex.split())}$"


def _lint(latex: str) -> None:
    if not latex.strip():
        raise MathError("a formula is empty: write something between the dollar signs")
    depth = 0
    for escaped, brace in re.findall(r"(\\.)|([{}])", latex, re.DOTALL):
        depth += 0 if escaped else 1 if brace == "{" else -1
        if depth < 0:
            raise MathError(f"a closing brace without an opening one in the formula {_shown(latex)}")
    if depth:
        raise MathError(f"{depth} opening brace(s) without a closing one in the formula {_shown(latex)}")
    for name in ENVIRONMENT.findall(latex):
        if name not in ENVIRONMENTS:
            raise MathError(f"unknown environment {name!r} in the formula {_shown(latex)}")


def _check(element: ElementTree.Element, latex: str) -> None:
    name = local_name(element)
    unknown = re.match(r"\\[A-Za-z]+", element.text or "")
    if unknown and name != "mtext":
        raise MathError(f"unknown command {unknown[0]} in the formula {_shown(latex)}")
    if name in CHILDREN and len(element) != CHILDREN[name]:
        raise MathError(f"a part is missing (a fraction, an index or a root) in the formula {_shown(latex)}")
    refused = {"style", "href"} & set(element.attrib)
    if refused:
        raise MathError(f"no {refused.pop()} may be set in the formula {_shown(latex)}")
    width = element.get("width")
    if width in WIDTHS:
        element.set("width", WIDTHS[width])
