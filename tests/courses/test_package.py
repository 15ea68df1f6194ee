"""A course package is read, checked and compiled; every fault of it is named with its file and line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from courses.figures.model import Table
from courses.package.compiling import CompiledCourse, check_package, compile_package, load_package
from courses.package.exercises import load_exercise
from courses.package.problems import PackageError, Problem
from courses.package.registry import Registry
from tests.courses.conftest import Edit

LESSON = "lessons/010-sums/lesson.yaml"
ADDING = "lessons/010-sums/sections/adding.md"
QUIZZES = "lessons/010-sums/quizzes.yaml"
MYTHS = "lessons/010-sums/myths.yaml"
QUESTIONS = "lessons/010-sums/questions.yaml"
PAPER = "lessons/010-sums/paper.yaml"
MYTH = "- id: order-matters\n  claim: The order of a sum matters.\n  truth: false\n  reality: It does not.\n"
EVIDENCE = "  evidence: One and two are as many as two and one.\n"
HOW_MANY = "  rubric:\n    - {id: how-many, text: One learns how many there are.}\n"
PLAYGROUND = "lessons/010-sums/playground.yaml"
EXERCISE = "exercises/double/exercise.yaml"
BETWEEN = 'points: "0.5", visibility: hidden, concept: adding, message: Others too., '
EXPECT = "exercises/double/submissions/expect.yaml"


def problems(package: Path, registry: Registry) -> tuple[Problem, ...]:
    with pytest.raises(PackageError) as caught:
        check_package(package, registry)
    return caught.value.problems


def block(compiled: CompiledCourse, kind: str) -> dict[str, object]:
    (lesson,) = compiled.lessons
    (found,) = [each for each in lesson["blocks"] if each["kind"] == kind]
    return dict(found)


def test_a_whole_package_is_compiled(compiled: CompiledCourse) -> None:
    (lesson,) = compiled.lessons
    assert [each["kind"] for each in lesson["blocks"]] == [
        *("prose", "map", "ways", "prerequisites", "section", "paper", "worked", "playground", "cost"),
        *("myths", "quizzes", "exercises", "cards", "questions", "resources", "finish"),
    ]
    assert compiled.course["places"][1] == {
        "number": 2,
        "slug": "products",
        "title": "Products",
        "summary_html": "How to multiply.",
        "published": False,
    }
    mistake = compiled.course["mistakes"]["no-scale"]
    assert (mistake["section"], mistake["lesson"]) == ("adding", "sums")
    assert mistake["meaning_html"] == "<p>You return <code>x</code> as it is. Double it.</p>\n"
    assert block(compiled, "map")["entries"] == [{"id": "adding", "title": "Adding", "from": None, "link_html": ""}]
    presets = block(compiled, "playground")["presets"]
    assert isinstance(presets, list)
    assert [(each["id"], each["look_html"]) for each in presets] == [
        ("plain", "Look at <em>the</em>."),
        ("own", "Look at <em>cat</em>."),
    ]
    assert block(compiled, "playground")["states"] == {
        "plain": {"words": ["the", "cat"], "Q": None},
        "own": {"words": ["the", "cat"], "Q": [[0, 1], [1, 0]]},
    }
    assert '<th scope="row">the</th><td>1</td>' in presets[0]["table"]
    assert block(compiled, "cost")["start"] == {"tile": 2}
    assert '<th scope="row">3</th><td>9</td>' in str(block(compiled, "cost")["table"])
    json.dumps([compiled.course, *compiled.lessons, *(each.compiled for each in compiled.exercises)], allow_nan=False)


def test_numbers_in_the_text_are_computed(compiled: CompiledCourse) -> None:
    assert "The answer is 42, see" in str(block(compiled, "prose")["html"])
    boxes = block(compiled, "paper")["boxes"]
    assert isinstance(boxes, list)
    assert [box["expected"] for box in boxes] == pytest.approx([0.7071067811865476, 5.0])


def test_an_exercise_is_compiled_with_its_spec(compiled: CompiledCourse) -> None:
    (exercise,) = compiled.exercises
    assert exercise.compiled["max_points"] == "2.5"
    assert exercise.compiled["lesson"] == "sums"
    assert len(exercise.compiled["hints"]) == 2
    spec = exercise.compiled["spec"]
    assert spec["limits"] == {"wall_seconds": 10, "memory_mb": 512, "source_kb": 64, "output_kb": 1000}
    assert spec["checks"][1]["with"] == {"cases": 2}
    assert spec["checks"][0]["points"] == "2"
    assert exercise.right == {"added.py": b"def double(x: float) -> float:\n    return x + x\n"}
    expected = {"mistakes": ["no-scale"], "fails": ["worked", "random"], "status": "failed"}
    assert exercise.expect == {"as_it_is.py": expected}
    assert exercise.solution == b"def double(x: float) -> float:\n    return 2 * x\n"


def test_what_is_for_information_counts_in_no_sum(tiny: Path, registry: Registry, edit: Edit) -> None:
    cost = 'kind: cost, points: "0", device: cuda, visibility: shown'
    edit(EXERCISE, 'kind: random, points: "0.5", visibility: hidden', cost)
    (exercise,) = compile_package(load_package(tiny), registry).exercises
    assert exercise.compiled["max_points"] == "2"
    assert exercise.compiled["spec"]["checks"][1]["points"] == "0"


def test_an_exercise_can_be_loaded_alone(tiny: Path, compiled: CompiledCourse) -> None:
    (tiny / "exercises/double/hints.md").unlink()
    alone = load_exercise(tiny / "exercises/double")
    assert alone.compiled["spec"] == compiled.exercises[0].compiled["spec"]
    assert alone.compiled["hints"] == []
    with pytest.raises(PackageError, match=r"exercise\.yaml:1: this file is missing"):
        load_exercise(tiny / "exercises")


def test_loading_and_compiling_apart_give_the_same(tiny: Path, registry: Registry, compiled: CompiledCourse) -> None:
    assert compile_package(load_package(tiny), registry).digest == compiled.digest


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("course.yaml", "title: A tiny course", "title: 5", "`title` must be text"),
        ("course.yaml", "schema: 1", "schema: 2", "`schema`: input should be 1; got 2"),
        ("course.yaml", "published: false", "published: no", "should be a valid boolean"),
        ("course.yaml", "published: false", "published: false\n    colour: red", "unknown key `colour`"),
        ("course.yaml", "slug: products", "slug: Products!", "should match pattern"),
        ("course.yaml", "slug: products", "slug: sums", "listed twice"),
        ("course.yaml", "published: false", "published: true", "'products' is published, but no lessons"),
        ("course.yaml", "slug: tiny", "slug: &here tiny\nretired: [*here]", "alias"),
        ("mistakes.yaml", "section: adding", "section: subtracting", "no published lesson has a section"),
        (LESSON, "minutes: 5", "minutes: 12:30", "should be a valid integer"),
        (LESSON, "minutes: 5", "minutes: 2024-01-01", "read as timestamp: put it in quotes"),
        (LESSON, "slugs: [double]", "slugs: [triple]", "there is no exercise 'triple'"),
        (LESSON, "kind: finish", "kind: ending", "unknown kind 'ending'"),
        (LESSON, "file: worked.yaml", "file: worken.yaml", "there is no file lessons/010-sums/worken.yaml"),
        (LESSON, "file: worked.yaml", "file: ../../course.yaml", "should match pattern"),
        (LESSON, "kind: finish, id: finish", "kind: finish, id: cards", "already at"),
        (QUIZZES, "correct: false", "correct: true", "2 correct choices: exactly one"),
        (QUIZZES, "half-of-root\n  kind: numeric", "half-of-root\n  kind: guess", "unknown kind 'guess'"),
        (QUIZZES, "adding-in-order\n  kind: ordering\n", "adding-in-order\n", "`kind` is missing in `[2]`: say what"),
        (QUIZZES, "- value: 1\n", "- value: 0.711\n", "to 2 decimals 0.711 cannot be told from 0.707107: leave it out"),
        (QUIZZES, "value: half-root", "value: half-rooot", "unknown number 'half-rooot'"),
        (QUIZZES, "id: count,", "id: read,", "the step 'adding-in-order/read' is already at"),
        (MYTHS, f"{MYTH}{EVIDENCE}", MYTH, "`evidence` is missing"),
        (QUESTIONS, "id: together", "id: how-many", "the point 'why-add/how-many' is already at"),
        (
            QUESTIONS,
            f"{HOW_MANY}    - {{id: together, text: They are taken together.}}\n",
            HOW_MANY,
            "at least 2 items",
        ),
        (PAPER, "id: not-halved", "id: not-doubled", "no box can show the slip 'not-doubled'"),
        (QUIZZES, "section: adding", "section: nowhere", "no section or block 'nowhere'"),
        (QUIZZES, "    - id: three", "    - id: two", "choice 'one-plus-one/two' is already at"),
        ("lessons/010-sums/cards.yaml", "id: zero-card", "id: sum-card", "the card 'sum-card' is already at"),
        ("lessons/010-sums/paper.yaml", "half-root", "half-rooot", "unknown number 'half-rooot'"),
        ("lessons/010-sums/paper.yaml", "half-root", "words", "'words' could not be computed: ValueError"),
        ("lessons/010-sums/resources.yaml", "https://docs", "http://docs", "should match pattern"),
        (PLAYGROUND, "look: Look at *the*., ", "", "`look` is missing"),
        (PLAYGROUND, "look: Look at *the*., words: [the, cat]", "look: Look., width: 2", "either `example` or `words`"),
        (
            PLAYGROUND,
            "look: Look at *the*., ",
            "look: Look., width: 3, ",
            "`presets[0].width`: input should be 2, 16 or 128",
        ),
        (PLAYGROUND, "look: Look at *the*., ", "look: Look., temperature: 0, ", "greater than or equal to 0.1"),
        (PLAYGROUND, "look: Look at *the*., ", "look: Look., temperature: 0.25, ", "`temperature` is given in tenths"),
        (
            PLAYGROUND,
            "look: Look at *the*., words: [the, cat]",
            "look: Look., words: [the cat]",
            "should match pattern",
        ),
        (PLAYGROUND, "look: Look at *the*., ", "look: Look., example: some, ", "either `example` or `words`"),
        (PLAYGROUND, "[1, 0.5]", "[1, 1001]", "less than or equal to 1000"),
        (PLAYGROUND, "[1, 0.5]", "[1]", "at least 2 items"),
        (ADDING, "id: adding", "id: add", "the id 'add' is 'adding' in lesson.yaml"),
        (EXERCISE, 'points: "0.5"', "points: 0.5", "must be text (in quotes"),
        (EXERCISE, 'points: "0.5"', 'points: "0"', "points are more than 0"),
        (EXERCISE, "kind: random", "kind: cost, device: cuda", "the kind cost is for information"),
        (EXERCISE, 'kind: random, points: "0.5"', 'kind: cost, points: "0", device: cuda', "it takes points"),
        (
            EXERCISE,
            'kind: random, points: "0.5", visibility: hidden',
            'kind: cost, points: "0", visibility: shown',
            "device cuda",
        ),
        (EXERCISE, "with: {cases: 2}", "with: {rows: 2}", "`with: rows` is for the kind precision, not random"),
        *(
            (
                EXERCISE,
                f"kind: random, {BETWEEN}with: {{cases: 2}}",
                f"kind: precision, {BETWEEN}with: {{rows: {rows}}}",
                f"`with: rows` must be an even whole number from 2 on, it is {told}",
            )
            for rows, told in {"3": "3", "0": "0", "-2": "-2", "2.0": "2.0", "true": "True", "many": "'many'"}.items()
        ),
        (EXERCISE, "visibility: hidden", "visibility: secret", "should be 'shown', 'hidden'"),
        (EXERCISE, "id: random", "id: worked", "the check 'worked' is here twice"),
        (EXERCISE, "section: adding\n", "section: adding\nrules: [no-loops]\n", "should be 'no-fused-attention'"),
        (EXERCISE, "visibility: hidden", "device: gpu, visibility: hidden", "should be 'cpu' or 'cuda'"),
        (EXERCISE, "slug: double", "slug: twice", "folder must be called 'twice'"),
        (EXERCISE, "section: adding\n", "section: nowhere\n", "no section or block 'nowhere'"),
        (EXPECT, "no-scale", "no-scales", "mistakes.yaml has no mistake 'no-scales'"),
        (EXPECT, "random]", "randon]", "there is no check 'randon'"),
        (EXPECT, "as_it_is.py", "as_it_was.py", "there is no submissions/wrong/as_it_was.py"),
    ],
)
def test_a_fault_in_yaml_is_named_with_file_and_line(
    tiny: Path, registry: Registry, edit: Edit, file: str, old: str, new: str, message: str
) -> None:
    registry = replace(registry, numbers={**registry.numbers, "words": lambda: "three"})
    line = edit(file, old, new)
    lines = {line + offset for offset in range(new.count("\n") + 1)}
    found = problems(tiny, registry)
    assert any(each.file == file and each.line in lines and message in each.message for each in found), found


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("<b>bold</b>", "raw HTML is not allowed: '<b>'"),
        ("<div>\nblock\n</div>", "raw HTML is not allowed: '<div>'"),
        ("<!-- hidden -->", "raw HTML is not allowed"),
        ("$\\frac{1}{2$", "opening brace(s) without a closing one"),
        ("$x}$", "a closing brace without an opening one"),
        ("$\\sofmax{x}$", "unknown command \\sofmax"),
        ("$\\frac{1}$", "a part is missing"),
        ("$\\begin{matrx}1\\end{matrx}$", "unknown environment 'matrx'"),
        ("$\\left( x$", "extra left or missing right"),
        ("$\\style{color:red}{x}$", "no style may be set"),
        ("costs 5$ or $ 6", "a dollar sign that opens no formula"),
        ("{{ figure: pie }}", "unknown figure 'pie'"),
        ("{{ listing: none.py }}", "there is no listings/none.py"),
        ("{{ printed: none }}", "unknown printed 'none'"),
        ("{{ number: none }}", "unknown number 'none'"),
        ("{{ numbr: answer }}", "a placeholder that cannot be read"),
        ("see {{ figure: bar }} here", "must stand on a line of its own"),
        ("{{ figure: bar }}", "on the page twice: figure-bar, figure-bar-caption"),
        ("```pyhton\nx = 1\n```", "unknown language 'pyhton'"),
        ("![a picture](https://example.org/a.png)", "images are not allowed"),
        ("[away](elsewhere.html)", "a link goes to https://"),
        ("[away](#nowhere)", "nothing on this page has that id"),
        ("[away](//example.org)", "a link goes to https://"),
        ("# Big", "headings inside a text begin with ###"),
    ],
)
def test_a_fault_in_markdown_is_named_with_file_and_line(
    tiny: Path, registry: Registry, edit: Edit, new: str, message: str
) -> None:
    line = edit(ADDING, "See [the docs]", f"Before.\n\n{new}\n\nSee [the docs]") + 2
    found = problems(tiny, registry)
    on_page = (LESSON, 8) if "on the page twice" in message else (ADDING, line)
    assert [(each.file, each.line) for each in found] == [on_page], found
    assert message in found[0].message


def test_a_fault_in_markdown_inside_yaml_has_its_own_line(tiny: Path, registry: Registry, edit: Edit) -> None:
    line = edit(QUIZZES, "    Count on", "    Fine.\n\n    <i>Not</i>\n    fine.\n\n    Count on")
    (found,) = problems(tiny, registry)
    assert (found.file, found.line) == (QUIZZES, line + 2)


def test_a_text_in_a_label_is_a_single_paragraph(tiny: Path, registry: Registry, edit: Edit) -> None:
    line = edit(QUIZZES, "text: Three", 'text: "- Three"')
    (found,) = problems(tiny, registry)
    assert (found.line, "single paragraph" in found.message) == (line, True)


def test_a_duplicate_key_names_both_lines(tiny: Path, registry: Registry, edit: Edit) -> None:
    line = edit("course.yaml", "title: A tiny course", "title: A tiny course\ntitle: Another")
    (found,) = problems(tiny, registry)
    assert (found.file, found.line) == ("course.yaml", line + 1)
    assert f"`title` is here twice (first on line {line})" in found.message


def test_yaml_that_cannot_be_parsed_names_the_line(tiny: Path, registry: Registry) -> None:
    (tiny / "mistakes.yaml").write_text("- id: a\n  title: [open\n- id: b\n")
    (found,) = problems(tiny, registry)
    assert (found.file, found.line) == ("mistakes.yaml", 3)
    assert "not valid YAML" in found.message


def test_no_problem_hides_another(tiny: Path, registry: Registry, edit: Edit) -> None:
    edit("course.yaml", "title: A tiny course", "title: 5")
    edit(LESSON, "minutes: 5", "minutes: 0")
    edit(LESSON, "kind: map", "kind: mapp")
    edit(QUIZZES, "correct: true", "correct: 1")
    edit("lessons/010-sums/cards.yaml", "Nothing.", "<i>Nothing</i>.")
    edit(ADDING, "$$a + b$$", "$$a + {b$$")
    edit(EXERCISE, 'points: "2"', "points: 2")
    (tiny / "exercises/double/statement.md").write_bytes(b"ok\n\xff")
    (tiny / "exercises/double/solution.py").unlink()
    found = {(each.file, each.line) for each in problems(tiny, registry)}
    assert found >= {
        ("course.yaml", 4),
        (LESSON, 5),
        (LESSON, 10),
        (QUIZZES, 7),
        (EXERCISE, 9),
        ("exercises/double/statement.md", 2),
        ("exercises/double/solution.py", 1),
    }


def test_a_slip_without_a_text_is_a_problem_of_each_box_that_could_show_it(
    tiny: Path, registry: Registry, edit: Edit
) -> None:
    edit(PAPER, "  - {id: not-halved, text: Not halved yet.}\n", "")
    (found,) = problems(tiny, registry)
    assert (found.file, found.line, found.message.partition(":")[0]) == (PAPER, 3, "the slip 'not-halved' has no text")


def test_slips_that_cannot_be_computed_are_a_problem(tiny: Path, registry: Registry) -> None:
    def broken() -> dict[str, tuple[float, ...]]:
        raise ZeroDivisionError("oh")

    found = problems(tiny, replace(registry, slips={"half-root": broken}))
    assert "the slips of 'half-root' could not be computed: ZeroDivisionError: oh" in found[0].message


def test_texts_are_checked_although_another_file_is_at_fault(tiny: Path, registry: Registry, edit: Edit) -> None:
    edit("course.yaml", "schema: 1", "schema: 7")
    edit(ADDING, "$$a + b$$", "$$a + {b$$")
    assert {each.file for each in problems(tiny, registry)} == {"course.yaml", ADDING}


def test_a_figure_that_fails_is_a_problem_of_the_line_that_asks_for_it(tiny: Path, registry: Registry) -> None:
    def broken() -> str:
        raise ZeroDivisionError("oh")

    (found,) = problems(tiny, replace(registry, printed={"sum": broken}))
    assert (found.file, found.message.split(": ", 1)[1]) == (ADDING, "ZeroDivisionError: oh")


def test_a_folder_that_is_not_there(tmp_path: Path, registry: Registry) -> None:
    (found,) = problems(tmp_path / "none", registry)
    assert "no such folder" in found.message


def test_submissions_must_be_told_what_they_come_to(tiny: Path, registry: Registry) -> None:
    (tiny / "exercises/double/submissions/wrong/new.py").write_text("def double(x): return 0\n")
    (tiny / "exercises/double/submissions/right/notes.txt").write_text("?")
    assert [(each.file, each.message.partition(":")[0]) for each in problems(tiny, registry)] == [
        (EXPECT, "nothing is said of submissions/wrong/new.py"),
        ("exercises/double/submissions/right/notes.txt", "only .py files belong here"),
    ]


def test_the_compiler_needs_neither_django_nor_numpy() -> None:
    code = (
        "import sys, courses.package.compiling as compiling\n"
        "print(sorted({'django', 'numpy', 'grader'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("id: plain", "id: own", 2, "`presets`: value error, ids of presets are unique, these are here twice: own"),
        ("    Q: [[0, 1], [1, 0]]\n", "", 4, "`Q`, `K` and `V` are given together, with `words`, and at width 2"),
        ("K: [[0, 1], [1, 0]]", "K: [[0, 1]]", 4, "`Q`, `K` and `V` have a row for each of the `words`"),
        ("causal: true", "width: 16", 4, "at width 2"),
    ],
)
def test_a_preset_that_does_not_fit_together_is_named_with_its_line(
    tiny: Path, registry: Registry, edit: Edit, old: str, new: str, line: int, message: str
) -> None:
    edit(PLAYGROUND, old, new)
    (found,) = problems(tiny, registry)
    assert (found.file, found.line) == (PLAYGROUND, line)
    assert message in found.message


def test_what_plays_and_costs_needs_the_figures(tiny: Path, registry: Registry) -> None:
    found = problems(tiny, replace(registry, play=None, costs=None))
    assert [(each.file, each.message) for each in found] == [
        (LESSON, "there is nothing for the cost explorer: the figures do not define it"),
        *[(PLAYGROUND, "there is nothing for the playground: the figures do not define it")] * 2,
    ]


def test_what_the_playground_cannot_compute_is_named(tiny: Path, registry: Registry, edit: Edit) -> None:
    def fails(preset: Mapping[str, Any]) -> tuple[dict[str, Any], Table]:
        raise ValueError(f"no {preset['id']}")

    found = problems(tiny, replace(registry, play=fails))
    assert [(each.line, each.message) for each in found] == [
        (3, "the playground could not be computed: ValueError: no plain"),
        (4, "the playground could not be computed: ValueError: no own"),
    ]


SECTIONS = "  - {kind: section, id: adding, title: Adding, file: sections/adding.md}\n"
MAP = "{kind: map, id: map, title: Map}"


@pytest.fixture
def with_three_sections(tiny: Path, edit: Edit) -> Path:
    """The tiny package with the sections adding, second and third."""
    more = ""
    for name in ("second", "third"):
        (tiny / f"lessons/010-sums/sections/{name}.md").write_text(f"---\nid: {name}\ntitle: {name}\n---\nMore.\n")
        more += f"  - {{kind: section, id: {name}, title: {name}, file: sections/{name}.md}}\n"
    edit(LESSON, SECTIONS, SECTIONS + more)
    return tiny


def links(*pairs: str) -> str:
    listed = ", ".join(f"{{from: {pair.split('>')[0]}, to: {pair.split('>')[1]}, text: so *it* is}}" for pair in pairs)
    return f"{{kind: map, id: map, title: Map, links: [{listed}]}}"


def test_without_links_each_section_of_a_map_leads_to_the_next(with_three_sections: Path, registry: Registry) -> None:
    entries = block(check_package(with_three_sections, registry), "map")["entries"]
    assert [(each["id"], each["from"]) for each in entries] == [  # type: ignore[attr-defined]
        ("adding", None),
        ("second", "adding"),
        ("third", "second"),
    ]


def test_the_links_of_a_map_say_what_leads_to_what(with_three_sections: Path, registry: Registry, edit: Edit) -> None:
    edit(LESSON, MAP, links("adding>second", "adding>third"))
    entries = block(check_package(with_three_sections, registry), "map")["entries"]
    assert [(each["from"], each["link_html"]) for each in entries] == [  # type: ignore[attr-defined]
        (None, ""),
        ("adding", "so <em>it</em> is"),
        ("adding", "so <em>it</em> is"),
    ]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (["adding>fourth"], "the lesson 'sums' has no section 'fourth'"),
        (["paper>second"], "the lesson 'sums' has no section 'paper'"),
        (["second>adding"], "'second' does not come before 'adding'"),
        (["second>second"], "'second' does not come before 'second'"),
        (["adding>third", "second>third"], "the map leads to 'third' twice"),
    ],
)
def test_a_map_that_is_no_tree_is_refused(
    with_three_sections: Path, registry: Registry, edit: Edit, pairs: list[str], said: str
) -> None:
    line = edit(LESSON, MAP, links(*pairs))
    found = [each for each in problems(with_three_sections, registry) if said in each.message]
    assert [(each.file, each.line) for each in found] == [(LESSON, line)]
