"""The package's Markdown becomes safe HTML that a strict Content-Security-Policy lets through."""

from __future__ import annotations

import re

import pytest

from courses.figures.model import Figure, Matrix, Table
from courses.package.compiling import CompiledCourse
from courses.package.figures import FigureError, figure_html, matrices_html, table_html
from courses.package.markdown import Markdown, number_text
from courses.package.math import mathml
from courses.package.problems import Problems, Where

HERE = Where("text.md", 1)


def rendered(source: str) -> str:
    problems = Problems()
    html = Markdown(problems).block(source, HERE, prefix="here")
    assert problems.found == []
    return html


def section(compiled: CompiledCourse) -> str:
    (lesson,) = compiled.lessons
    return str(next(block["html"] for block in lesson["blocks"] if block["kind"] == "section"))


def test_formulas_become_mathml() -> None:
    assert rendered("$a < b$").startswith('<p><math display="inline" dir="ltr"><mrow>')
    block = rendered("$$\\frac{a}{b}$$")
    assert block.startswith('<div class="math" tabindex="0"><math')
    assert 'display="block"' in block
    assert "<mfrac>" in block


def test_a_negative_space_has_a_width_that_browsers_know() -> None:
    assert 'width="-0.167em"' in mathml("a\\!b", display=False)


def test_infinity_and_names_are_no_operators() -> None:
    assert "<mo>−</mo><mi>∞</mi>" in mathml("-\\infty", display=False)
    assert "<mi>softmax</mi>" in mathml("\\operatorname{softmax}(x)", display=False)


def test_a_formula_that_is_wrong_is_shown_as_it_was_written() -> None:
    problems = Problems()
    Markdown(problems).block("$$a\n\\sqrtt b$$", HERE)
    assert [found.message for found in problems.found] == ["unknown command \\sqrtt in the formula $a \\sqrtt b$"]


def test_a_full_stop_stays_with_its_formula() -> None:
    html = rendered("Take $x$ so. Let $a$, then ($b$). And $c$ ends")
    assert html.count('<span class="keep"><math') == 2
    assert "</math> so. Let <span" in html
    assert "</math>,</span> then" in html
    assert "</math>).</span> And <math" in html


def test_a_dollar_is_written_with_a_backslash() -> None:
    assert rendered("It costs \\$5, or `$6`.") == "<p>It costs $5, or <code>$6</code>.</p>\n"


def test_code_is_coloured_by_classes() -> None:
    html = rendered("```python\nx = 1 < 2\n```\n")
    assert (
        '<pre class="highlight" dir="ltr" tabindex="0"><code class="language-python"><span class="n">x</span>' in html
    )
    assert '<span class="o">&lt;</span>' in html


def test_placeholders_in_code_are_code() -> None:
    assert "{{ number: x }}" in rendered("`{{ number: x }}`")


def test_a_table_is_aligned_by_classes() -> None:
    html = rendered("| a | b |\n|--:|:-:|\n| 1 | 2 |\n")
    assert '<td class="align-right">1</td>' in html
    assert '<td class="align-center">2</td>' in html


def test_links_away_say_so() -> None:
    assert rendered("[x](https://example.org/)") == (
        '<p><a href="https://example.org/" rel="external noopener noreferrer">x</a></p>\n'
    )
    assert "rel=" not in rendered("[x](/lessons/)")


def test_headings_have_ids_of_their_own() -> None:
    assert re.findall(r'<h3 id="([^"]+)">', rendered("### In code\n\n### In code\n")) == [
        "here-in-code",
        "here-in-code-2",
    ]


def test_a_script_in_a_link_stays_text() -> None:
    assert "href" not in rendered("[x](javascript:alert(1))")


def test_a_section_with_all_of_it(compiled: CompiledCourse) -> None:
    html = section(compiled)
    assert '<figure class="figure" id="figure-bar">' in html
    assert '<figcaption id="figure-bar-caption">A bar of length <em>two</em> &amp; more</figcaption>' in html
    assert (
        '<svg viewBox="0 0 2 1" role="img" aria-labelledby="figure-bar-caption">'
        '<rect class="bar" width="2" height="1" /></svg>' in html
    )
    assert "<details" in html
    assert '<th scope="row">a</th><td>2</td>' in html
    assert "<samp>42 &lt; 43</samp>" in html
    assert '<span class="nb">print</span>' in html
    assert "<p><figure" not in html


def test_nothing_compiled_has_a_style_or_a_script(compiled: CompiledCourse) -> None:
    for html in [section(compiled), *(each.compiled["statement_html"] for each in compiled.exercises)]:
        assert not re.search(r"\sstyle=|<script|\son\w+=", html)


def test_steps_show_their_matrices(compiled: CompiledCourse) -> None:
    (lesson,) = compiled.lessons
    first, last = next(block["steps"] for block in lesson["blocks"] if block["kind"] == "worked")
    assert first["title"] == "Add"
    assert '<td class="hit">3<span class="visually-hidden"> (used)</span></td>' in first["matrices"]
    assert first["matrices"].count('class="hit"') == 1
    assert '<th scope="col">c</th>' in first["matrices"]
    assert '<th scope="row">b</th>' in first["matrices"]
    assert last["matrices"] == ""
    assert (first["stage"], last["stage"]) == ("", "")


def test_a_matrix_says_in_words_what_takes_part_and_what_is_new() -> None:
    places: frozenset[tuple[int, int]] = frozenset({(0, 0), (0, 1), (1, 0)})
    matrix = Matrix("M", (("1", "2"), ("3", "4")), (), (), places, frozenset({(1, 0)}), (((0, 1), "b"),))
    html = matrices_html((matrix,))
    assert '<td class="hit">1<span class="visually-hidden"> (used)</span></td>' in html
    assert '<span class="letter" aria-hidden="true">b</span>2<span class="visually-hidden"> (b)</span></td>' in html
    assert '<td class="made">3<span class="visually-hidden"> (new)</span></td>' in html
    assert "<td>4</td>" in html


@pytest.mark.parametrize(
    ("svg", "message"),
    [
        ("<svg", "not well-formed"),
        ("<div/>", "must be an <svg"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "may not contain <script>"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><foreignObject/></svg>', "may not contain <foreignObject>"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><rect style="fill:red"/></svg>', "attribute style"),
        ('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', "attribute onload"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><a xmlns="http://www.w3.org/1999/xhtml"/></svg>',
            "may not contain <a>",
        ),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><use x:href="#a"/></svg>',
            "xlink}href",
        ),
        ('<svg xmlns="http://www.w3.org/2000/svg"><use href="https://example.org/#a"/></svg>', "its own parts only"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(https://example.org)"/></svg>', "its own parts only"),
    ],
)
def test_a_figure_that_a_page_may_not_show(svg: str, message: str) -> None:
    with pytest.raises(FigureError, match=re.escape(message)):
        figure_html(Figure("x", svg, "X", Table("T", ("a",), (("1",),))), "X")


def test_a_table_whose_rows_do_not_fit() -> None:
    with pytest.raises(FigureError, match="must have 2 cells"):
        table_html(Table("T", ("a", "b"), (("1",),)))
    with pytest.raises(FigureError, match="do not fit"):
        matrices_html((Matrix("M", (("1", "2"), ("3",))),))


@pytest.mark.parametrize(
    ("value", "text"), [("0.51", "0.51"), (262144, "262,144"), (0.5, "0.5"), (1 / 3, "0.333333"), (2.0, "2")]
)
def test_numbers_as_text(value: str | float, text: str) -> None:
    assert number_text(value) == text
