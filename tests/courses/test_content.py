"""The shipped course: whole, in order, with every fact of the lesson, and no computed number typed in."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from attention_core.mistakes import MISTAKES
from courses.figures import COSTS, FIGURES, NUMBERS, PLAY, PRINTED, SLIPS, WORKED_STEPS
from courses.package.compiling import CompiledCourse, check_package
from courses.package.registry import Registry

CONTENT = Path(__file__).resolve().parents[2] / "courses" / "content"
LESSON = CONTENT / "lessons" / "030-attention"
TEXTS = sorted(path for path in LESSON.rglob("*") if path.suffix in {".md", ".yaml"})

# The sixteen parts of the page: the five sections and the paper boxes are the fifth.
PARTS = [
    ("prose", "big-picture"),
    ("map", "map"),
    ("ways", "two-ways"),
    ("prerequisites", "before-you-start"),
    ("section", "query-key-value"),
    ("section", "scores-softmax-blend"),
    ("paper", "paper"),
    ("section", "why-root-d"),
    ("section", "causal-mask"),
    ("section", "quadratic-cost"),
    ("cost", "cost-explorer"),
    ("prose", "step-by-step"),
    ("worked", "worked-example"),
    ("prose", "in-pytorch"),
    ("playground", "playground"),
    ("myths", "myths"),
    ("quizzes", "quizzes"),
    ("exercises", "exercises"),
    ("cards", "review-cards"),
    ("questions", "open-questions"),
    ("resources", "resources"),
    ("finish", "finish"),
]

# What a part must say, as a reader sees it.
SAID = {
    "big-picture": [
        "which other words matter to me now, and how much?",
        "sat gives itself 51% of its attention, because its key [1, 2] matches its query [1, 1] best",
        "sum to 100%",
        "weighted average of the values",
        *("12%", "25%", "51%"),
    ],
    "two-ways": ["the cup, the table, the edge", "causal mask", "sum of all values"],
    "before-you-start": ["dot product says how alike two vectors are", "positive shares that sum to 1"],
    "query-key-value": ["is what it looks for", "is what it offers", "is what it hands over if it is chosen"],
    "scores-softmax-blend": [
        "Its query is [1, 1]. The key of sat is [1, 2]. Their product is 3; divided by √2 that is 2.12, the highest",
        "makes 51% of it",
        "25% to cat, 12% each to the and down",
        "[[0.11 0.22 0.45 0.22]\n [0.29 0.29 0.29 0.14]\n [0.12 0.25 0.51 0.12]\n [0.11 0.22 0.45 0.22]]",
        "[[0.78 1.34]\n [0.71 1.00]\n [0.75 1.38]\n [0.78 1.34]]",
        "[[0 1]\n [1 0]\n [1 1]\n [0 1]]",
    ],
    "why-root-d": ["128 or more nearly all weight lands on one word", "gradient", "brings the scores back to a size"],
    "causal-mask": [
        "above the diagonal is set to −∞",
        "[1, 0, 0, 0], [½, ½, 0, 0], [⅓, ⅓, ⅓, 0] and [¼, ¼, ¼, ¼]",
        "the loss drops wonderfully",
        "[[1.00 0.00 0.00 0.00]\n [0.50 0.50 0.00 0.00]\n [0.33 0.33 0.33 0.00]\n [0.25 0.25 0.25 0.25]]",
    ],
    "quadratic-cost": [
        *("262,144", "1 MB", "4,194,304", "8 MB", "67,108,864", "134 MB"),
        *("1,073,741,824", "2,147 MB", "17,179,869,184", "34,360 MB"),
        "one head in one layer",
        "four times as long, and the memory is sixteen times as large",
        "FlashAttention",
        "never store the matrix",
        "stays quadratic",
        "long context is slow and costly even where it is offered",
    ],
    "step-by-step": ["Project.", "Score.", "Share.", "Blend.", "−∞ above the diagonal first"],
    "in-pytorch": [
        "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
        "(batch, tokens, width), here (1, 4, 16), and so has the output",
        "picks the fastest implementation",
        "applies the same mask",
    ],
    "myths": ["proves no cause", "nearly all of the weight", "went from 134 MB to 2,147 MB"],
    "quizzes": ["Each row sums to 1.", "Times 4, since the pairs are n²", "The linear layers only double"],
    "open-questions": [
        "have the same query, [0, 1]",
        "position encoding",
        "gives down only 0.14",
        "The query of cat is [1, 0], and the key of down is [0, 1]. Their product is 0",
        "which is 0.71 after the division by √2",
    ],
    "finish": ["as a visitor included"],
}


@pytest.fixture(scope="module")
def course() -> CompiledCourse:
    registry = Registry(FIGURES, NUMBERS, PRINTED, worked_steps=WORKED_STEPS, slips=SLIPS, play=PLAY, costs=COSTS)
    return check_package(CONTENT, registry)


@pytest.fixture(scope="module")
def blocks(course: CompiledCourse) -> dict[str, dict[str, Any]]:
    (lesson,) = course.lessons
    return {block["id"]: block for block in lesson["blocks"]}


def seen(data: Any) -> str:
    """All text in a compiled block, without its tags."""
    if isinstance(data, str):
        return unescape(re.sub(r"<[^>]*>", "", data)).replace("\N{NO-BREAK SPACE}", " ")
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else []
    return "\n".join(map(seen, values))


def test_the_parts_are_all_there_in_order(course: CompiledCourse) -> None:
    (lesson,) = course.lessons
    assert [(block["kind"], block["id"]) for block in lesson["blocks"]] == PARTS


@pytest.mark.parametrize("part", SAID)
def test_a_part_says_what_it_must(blocks: dict[str, dict[str, Any]], part: str) -> None:
    text = seen(blocks[part])
    flowed = " ".join(text.split())
    assert [said for said in SAID[part] if said not in text and said not in flowed] == []


def test_the_course_shows_eight_places_of_which_the_third_is_published(course: CompiledCourse) -> None:
    places = course.course["places"]
    assert [place["number"] for place in places if place["published"]] == [3]
    assert len(places) == 8
    assert [place["title"] for place in places[:3]] == ["Embeddings", "Probability, practically", "Attention"]


def test_the_lesson_has_its_exercises(course: CompiledCourse, blocks: dict[str, dict[str, Any]]) -> None:
    slugs = [
        *("qkv-projections", "scaled-scores", "softmax", "attention", "causal-attention", "attention-cost"),
        *(
            "batched-attention",
            "torch-attention",
            "multi-head-attention",
            "kv-cache",
            "tiled-attention",
            "gpu-attention",
        ),
    ]
    assert blocks["exercises"]["slugs"] == slugs
    assert sorted(slugs) == [exercise.slug for exercise in course.exercises]


def test_every_section_has_a_picture_of_its_own(blocks: dict[str, dict[str, Any]]) -> None:
    for name, block in blocks.items():
        if block["kind"] == "section":
            assert "<svg" in block["html"], name


def test_figures_and_numbers_are_all_used() -> None:
    text = "\n".join(path.read_text() for path in TEXTS)
    named = {
        kind: set(re.findall(rf"\{{\{{ {kind}: ([a-z0-9-]+) \}}\}}", text)) for kind in ("figure", "number", "printed")
    }
    boxes = set(re.findall(r"value: ((?:paper|quiz)-[a-z0-9-]+)", text))
    assert named["figure"] == set(FIGURES)
    assert named["number"] | boxes == set(NUMBERS)
    assert named["printed"] == set(PRINTED)


def test_no_computed_number_is_typed_in() -> None:
    """Numbers that look like nothing else: with a decimal point, a thousands separator, a percent sign or a unit."""
    values = {
        value for number in NUMBERS.values() if isinstance(value := number(), str) and re.search(r"[.%,]|MB", value)
    }
    computed = [value for value in values if not value.startswith("[")]
    assert len(computed) > 20
    for path in TEXTS:
        text = path.read_text()
        typed = [value for value in computed if re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d,]|\.\d)", text)]
        assert not typed, path.name


def test_the_paper_boxes_are_the_first_row_of_the_worked_example(blocks: dict[str, dict[str, Any]]) -> None:
    boxes = {box["id"]: round(box["expected"], box["decimals"]) for box in blocks["paper"]["boxes"]}
    words = ("the", "cat", "sat", "down")
    assert [boxes[f"score-{word}"] for word in words] == [0, 1, 2, 1]
    assert [boxes[f"scaled-{word}"] for word in words] == [0, 0.71, 1.41, 0.71]
    assert [boxes[f"weight-{word}"] for word in words] == [0.11, 0.22, 0.45, 0.22]
    assert [boxes["output-first"], boxes["output-second"]] == [0.78, 1.34]
    decimals = {box["id"].split("-")[0]: box["decimals"] for box in blocks["paper"]["boxes"]}
    assert decimals == {"score": 0, "scaled": 2, "weight": 2, "output": 2}


def test_every_choice_has_an_explanation_of_its_own(blocks: dict[str, dict[str, Any]]) -> None:
    items = blocks["quizzes"]["items"]
    assert len(items) >= 2
    assert {quiz["kind"] for quiz in items} == {"choice", "numeric", "ordering"}
    for quiz in items:
        explained = [*quiz.get("choices", ()), *quiz.get("steps", ()), *quiz.get("wrong", ())]
        explanations = [seen(each["explanation_html"]).strip() for each in explained]
        assert len(set(explanations)) == len(explanations) >= 3
        assert all(len(explanation) > 30 for explanation in explanations)
        assert quiz["explanation_html"]
        assert quiz["section"] in blocks


def test_three_myths_and_none_is_true(blocks: dict[str, dict[str, Any]]) -> None:
    assert [myth["truth"] for myth in blocks["myths"]["items"]] == [False, False, False]


def test_every_myth_has_a_figure_for_its_evidence(blocks: dict[str, dict[str, Any]]) -> None:
    for myth in blocks["myths"]["items"]:
        assert "<svg" in myth["evidence_html"], myth["id"]


def test_the_steps_of_attention_are_put_in_their_order(blocks: dict[str, dict[str, Any]]) -> None:
    (ordering,) = [quiz for quiz in blocks["quizzes"]["items"] if quiz["kind"] == "ordering"]
    assert ordering["order"] == ["project", "score", "divide", "mask", "softmax", "blend"]
    shown = [step["id"] for step in ordering["steps"]]
    assert sorted(shown) == sorted(ordering["order"])
    assert not any(here == there for here, there in zip(shown, ordering["order"], strict=True))


def test_numeric_quizzes_expect_what_the_lesson_says(blocks: dict[str, dict[str, Any]]) -> None:
    numeric = {quiz["id"]: quiz for quiz in blocks["quizzes"]["items"] if quiz["kind"] == "numeric"}
    assert {name: f"{quiz['expected']:.2f}" for name, quiz in numeric.items()} == {
        "share-of-three": "0.33",
        "memory-growth": "16.00",
    }
    assert [each["value"] for each in numeric["memory-growth"]["wrong"]] == [4, 8, 64, 2]
    assert [each["value"] for each in numeric["share-of-three"]["wrong"]] == [0.25, 0.5, 1, 0]


def test_cards_and_questions_are_as_many_as_promised(blocks: dict[str, dict[str, Any]]) -> None:
    assert {"equation", "causal-mask-card", "why-root-d-card", "cost-card"} <= {
        card["id"] for card in blocks["review-cards"]["items"]
    }
    assert [question["id"] for question in blocks["open-questions"]["items"][:2]] == ["equal-rows", "least-attention"]


def test_resources_are_named_by_type_title_author_and_address(blocks: dict[str, dict[str, Any]]) -> None:
    items = blocks["resources"]["items"]
    assert [item["type"] for item in items] == ["documentation", "documentation", "article", "article", "article"]
    assert all(item["author"] and item["url"].startswith("https://") for item in items)


def test_every_mistake_that_the_grader_knows_is_explained(course: CompiledCourse) -> None:
    assert set(MISTAKES) <= set(course.course["mistakes"])


def test_a_mistake_is_explained_briefly_and_points_to_the_lesson(
    course: CompiledCourse, blocks: dict[str, dict[str, Any]]
) -> None:
    mistakes = course.course["mistakes"]
    assert len({mistake["title"] for mistake in mistakes.values()}) == len(mistakes)
    for name, mistake in mistakes.items():
        assert len(mistake["title"]) <= 60, name
        assert not mistake["title"].endswith("."), name
        assert 100 <= len(mistake["meaning"]) <= 420, name
        assert re.search(r"\b[Yy]ou(r)?\b", mistake["meaning"]), name
        assert mistake["section"] in blocks, name
        assert mistake["lesson"] == "attention", name
