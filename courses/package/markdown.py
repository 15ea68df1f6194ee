"""The package's Markdown as safe HTML: CommonMark with tables, formulas, highlighted code and placeholders.

Everything that a page must not show, or that an author cannot have meant, is a problem with its file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments.lexers import get_lexer_for_filename  # type: ignore[import-untyped]  # Pygments ships no types
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from courses.package.code import UnknownLanguageError, code_html, printed_html
from courses.package.figures import figure_html
from courses.package.math import MathError, mathml
from courses.package.problems import Problems, Where
from courses.package.registry import Registry

PLACEHOLDER = re.compile(r"\{\{\s*(figure|listing|printed|number)\s*:\s*([A-Za-z0-9][A-Za-z0-9_.-]*)\s*\}\}")
PLACEHOLDER_HELP = "write {{ figure: name }}, {{ listing: file.py }}, {{ printed: name }} or {{ number: name }}"
LINK = re.compile(r"(https://|http://|mailto:|#|/(?!/))")
# A browser may break the line between a formula and the full stop after it.
CLINGING = re.compile(r"(<math(?: [^>]*)?>(?:(?!</math>).)*</math>)([.,;:!?)\]’”]+)", re.DOTALL)
FEW = 5  # names that a problem lists
HEADING_LEVELS = {"h3", "h4", "h5", "h6"}  # h1 is the lesson's, h2 the block's


def _placeholder_rule(state: StateInline, silent: bool) -> bool:
    """`{{ kind: name }}`; anything else that opens with two braces becomes a placeholder without a kind."""
    if not state.src.startswith("{{", state.pos):
        return False
    match = PLACEHOLDER.match(state.src, state.pos, state.posMax)
    if not silent:
        token = state.push("placeholder", "", 0)
        token.meta = {"kind": match[1], "name": match[2]} if match else {"kind": "", "name": ""}
    state.pos = match.end() if match else state.pos + 2
    return True


def _find_lone_dollars(state: StateCore) -> None:
    """Note dollar signs that opened no formula, while an escaped one can still be told from them."""
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "text" and "$" in child.content:
                child.meta = {**child.meta, "dollar": True}


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    dollarmath_plugin(parser, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    parser.inline.ruler.before("escape", "placeholder", _placeholder_rule)
    parser.core.ruler.before("text_join", "lone_dollars", _find_lone_dollars)
    for kind in ("math_inline", "math_inline_double", "math_block", "fence", "code_block", "placeholder"):
        parser.add_render_rule(kind, _prepared)
    parser.add_render_rule("table_open", lambda *_: '<div class="table-scroll" tabindex="0">\n<table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
    return parser


def _prepared(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return str(tokens[index].meta["html"])


def _rendered(tokens: Sequence[Token]) -> str:
    html: str = _parser().renderer.render(tokens, _parser().options, {})
    return CLINGING.sub(r'<span class="keep">\1\2</span>', html)


class Markdown:
    """Renders the texts of one page (a lesson or an exercise) and collects their problems.

    Without a registry, placeholders stand for nothing and show their names: enough to grade a draft.
    """

    def __init__(self, problems: Problems, registry: Registry | None = None, listings: Path | None = None) -> None:
        self.problems = problems
        self.registry = registry
        self.listings = listings
        self.links: list[tuple[str, Where]] = []  # to places on the same page
        self._html_at: set[Where] = set()

    def block(self, source: str, where: Where, *, prefix: str = "") -> str:
        """`source` as paragraphs, lists, tables… Ids of headings begin with `prefix`."""
        tokens = self._parse(source, where)
        self._name_headings(tokens, prefix)
        return _rendered(tokens)

    def inline(self, source: str, where: Where) -> str:
        """`source`, a single paragraph, without the `<p>`."""
        tokens = self._parse(source, where)
        if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
            self.problems.add(where, "this text must be a single paragraph: no lists, headings, formulas on their own")
            return ""
        return _rendered(tokens[1:2])

    def _parse(self, source: str, where: Where) -> list[Token]:
        tokens = _parser().parse(source)
        line = 0
        for index, token in enumerate(tokens):
            line = token.map[0] if token.map else line
            alone = token.type == "inline" and tokens[index - 1].type == "paragraph_open"
            for each, at in _with_lines(token, where.later(line)):
                self._prepare(each, at, alone=alone and len(token.children or ()) == 1)
        return _without_paragraphs(tokens)

    def _prepare(self, token: Token, where: Where, *, alone: bool) -> None:
        """Check one token, and write the HTML of those that markdown-it does not know."""
        handlers: dict[str, Callable[[Token, Where], None]] = {
            "html_block": self._refuse_html,
            "html_inline": self._refuse_html,
            "image": self._refuse_image,
            "heading_open": self._check_heading,
            "link_open": self._check_link,
            "text": self._check_text,
            "math_inline": self._formula,
            "math_inline_double": self._formula,
            "math_block": self._formula,
            "fence": self._code,
            "code_block": self._code,
            "th_open": self._align,
            "td_open": self._align,
        }
        if token.type in handlers:
            handlers[token.type](token, where)
        elif token.type == "placeholder":
            self._placeholder(token, where, alone=alone)

    def _refuse_html(self, token: Token, where: Where) -> None:
        if where in self._html_at:  # the closing tag
            return
        self._html_at.add(where)
        shown = token.content.strip().splitlines()[0][:40]
        self.problems.add(where, f"raw HTML is not allowed: {shown!r}; use Markdown, or put it in backticks")

    def _refuse_image(self, _token: Token, where: Where) -> None:
        self.problems.add(where, "images are not allowed: draw a figure and write {{ figure: name }}")

    def _check_heading(self, token: Token, where: Where) -> None:
        if token.tag not in HEADING_LEVELS:
            self.problems.add(where, "headings inside a text begin with ###: the page's own come before it")

    def _check_link(self, token: Token, where: Where) -> None:
        target = str(token.attrs.get("href", ""))
        if not LINK.match(target):
            self.problems.add(where, f"a link goes to https://…, /a/page or #a-section, not to {target!r}")
        elif target.startswith("http"):
            token.attrs["rel"] = "external noopener noreferrer"
        elif target.startswith("#"):
            self.links.append((target[1:], where))

    def _align(self, token: Token, _where: Where) -> None:
        # markdown-it writes a style attribute, which the site's Content-Security-Policy forbids.
        style = str(token.attrs.pop("style", ""))
        if style:
            token.attrs["class"] = style.replace("text-align:", "align-")

    def _check_text(self, token: Token, where: Where) -> None:
        if token.meta.get("dollar"):
            message = "a dollar sign that opens no formula: no space or digit may touch it; write \\$ for a dollar"
            self.problems.add(where, message)

    def _formula(self, token: Token, where: Where) -> None:
        display = token.type != "math_inline"
        try:
            html = mathml(token.content.strip(), display=display)
        except MathError as error:
            self.problems.add(where, str(error))
            html = ""
        token.meta["html"] = f'<div class="math" tabindex="0">{html}</div>\n' if token.type == "math_block" else html

    def _code(self, token: Token, where: Where) -> None:
        language = token.info.strip().split(maxsplit=1)[0] if token.info.strip() else ""
        try:
            token.meta["html"] = code_html(token.content, language)
        except UnknownLanguageError:
            self.problems.add(where, f"unknown language {language!r} of a code block: use one that Pygments knows")
            token.meta["html"] = ""

    def _placeholder(self, token: Token, where: Where, *, alone: bool) -> None:
        kind, name = token.meta["kind"], token.meta["name"]
        token.meta["html"] = ""
        if not kind:
            self.problems.add(where, f"a placeholder that cannot be read: {PLACEHOLDER_HELP}")
        elif kind != "number" and not alone:
            self.problems.add(where, f"{{{{ {kind}: {name} }}}} must stand on a line of its own, as a paragraph")
        elif kind != "number":
            token.meta["block"] = True
            token.meta["html"] = self._computed(kind, name, where)
        else:
            token.meta["html"] = self._computed(kind, name, where)

    def _computed(self, kind: str, name: str, where: Where) -> str:
        if self.registry is None:
            return f"<code>{escape(name)}</code>"
        if kind == "listing":
            return self._listing(name, where)
        known = {"figure": self.registry.figures, "printed": self.registry.printed, "number": self.registry.numbers}[
            kind
        ]
        if name not in known:
            near = get_close_matches(name, known, n=FEW) if len(known) > FEW else sorted(known)
            told = f"; there {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else ""
            self.problems.add(where, f"unknown {kind} {name!r}: correct its name or add it to the figures{told}")
            return ""
        try:
            return self._shown(kind, known[name](), where)
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            self.problems.add(where, f"the {kind} {name!r} could not be computed: {type(error).__name__}: {error}")
            return ""

    def _shown(self, kind: str, value: Any, where: Where) -> str:
        if kind == "number":
            return escape(number_text(value))
        if kind == "printed":
            return printed_html(value)
        return figure_html(value, self.inline(value.caption, where))

    def _listing(self, name: str, where: Where) -> str:
        path = self.listings / name if self.listings else None
        if path is None or not path.is_file():
            self.problems.add(where, f"unknown listing {name!r}: there is no listings/{name}")
            return ""
        try:
            language = get_lexer_for_filename(name).aliases[0]
        except ClassNotFound:
            language = ""
        return code_html(path.read_text(encoding="utf-8"), language)

    def _name_headings(self, tokens: list[Token], prefix: str) -> None:
        taken: set[str] = set()
        for opening, content in pairwise(tokens):
            if opening.type == "heading_open":
                slug = slugged(f"{prefix}-{content.content}")
                name = next(each for each in _numbered(slug) if each not in taken)
                taken.add(name)
                opening.attrs["id"] = name


def number_text(value: str | float) -> str:
    """A computed number as text: strings as they are, whole numbers with separators, others with six digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{float(value):.6g}"


def slugged(text: str) -> str:
    """Lower-case letters, digits and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "part"


def _numbered(slug: str) -> Iterator[str]:
    yield slug
    number = 2
    while True:
        yield f"{slug}-{number}"
        number += 1


def _with_lines(token: Token, where: Where) -> Iterator[tuple[Token, Where]]:
    """A token and its children, each with the line it stands on."""
    yield token, where
    down = 0
    for child in token.children or ():
        yield child, where.later(down)
        down += child.type in {"softbreak", "hardbreak"}
        down += child.content.count("\n")


def _without_paragraphs(tokens: list[Token]) -> list[Token]:
    """Unwrap the paragraphs that consist of one figure, listing or printed block."""
    kept: list[Token] = []
    unwrapped = False
    for index, token in enumerate(tokens):
        children = tokens[index + 1].children if token.type == "paragraph_open" else None
        if children and children[0].type == "placeholder" and children[0].meta.get("block"):
            unwrapped = True
        elif unwrapped and token.type == "paragraph_close":
            unwrapped = False
        else:
            kept.append(token)
    return kept
