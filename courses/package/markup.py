"""MathML and SVG as they are written inside HTML: without namespace prefixes, which HTML does not read."""

from __future__ import annotations

from xml.etree import ElementTree


def local_name(element: ElementTree.Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def embedded(root: ElementTree.Element) -> str:
    """`root` as text, its elements without their namespaces: in HTML `<svg>` and `<math>` need none."""
    for element in root.iter():
        element.tag = local_name(element)
    return ElementTree.tostring(root, encoding="unicode").strip()
