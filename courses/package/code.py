"""Code and printed output as HTML with Pygments' classes: the page's policy allows no style attribute."""

from __future__ import annotations

from html import escape

from pygments import highlight  # type: ignore[import-untyped]  # Pygments ships no types
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

FORMATTER = HtmlFormatter(nowrap=True)


class UnknownLanguageError(ValueError):
    """Pygments knows no such language."""


def code_html(source: str, language: str = "") -> str:
    """A block of code; plain without a language. It can be scrolled by keyboard. Raises UnknownLanguageError."""
    source = source.rstrip("\n") + "\n"
    if not language:
        return f'<pre class="highlight" dir="ltr" tabindex="0"><code>{escape(source)}</code></pre>\n'
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound as error:
        raise UnknownLanguageError(language) from error
    coloured = highlight(source, lexer, FORMATTER)
    name = escape(language)
    return f'<pre class="highlight" dir="ltr" tabindex="0"><code class="language-{name}">{coloured}</code></pre>\n'


def printed_html(text: str) -> str:
    """What a program printed."""
    return f'<pre class="printed" dir="ltr" tabindex="0"><samp>{escape(text.rstrip())}</samp></pre>\n'
