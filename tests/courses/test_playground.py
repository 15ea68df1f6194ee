"""The playground's presets: what each is said to show, its numbers do show. And what the cost explorer begins with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from ruamel.yaml import YAML

from attention_core.cost import attention_cost
from attention_core.worked_example import worked_example
from courses.figures import COSTS, PLAY
from courses.figures.costs import memory, tiled_megabytes
from courses.figures.playground import vector_of
from courses.package.schema import Playground

FILE = Path(__file__).resolve().parents[2] / "courses/content/lessons/030-attention/playground.yaml"
PRESETS = {
    preset.id: preset.model_dump()
    for preset in Playground.model_validate(YAML(typ="safe").load(FILE.read_text())).presets
}


def shown(name: str) -> NDArray[np.float64]:
    """The weights in the published table, without their sums."""
    _, table = PLAY(PRESETS[name])
    return np.array([[float(cell) for cell in row[1:-1]] for row in table.rows])


def state(name: str) -> dict[str, Any]:
    return PLAY(PRESETS[name])[0]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_whole_state(name: str) -> None:
    begun, table = PLAY(PRESETS[name])
    assert set(begun) - {"Q", "K", "V"} == {"words", "width", "causal", "scale", "temperature"}
    assert ("Q" in begun) == (begun["width"] == 2)
    assert [row[0] for row in table.rows] == begun["words"]
    assert {row[-1] for row in table.rows} == {"1.00"}
    assert shown(name).sum(axis=1) == pytest.approx(1, abs=0.03)


def test_it_begins_with_the_worked_example() -> None:
    assert next(iter(PRESETS)) == "worked-example"
    assert shown("worked-example") == pytest.approx(worked_example().weights, abs=0.005)
    assert state("worked-example")["Q"] == worked_example().Q.tolist()


def test_equal_scores_are_shared_evenly_among_what_is_seen() -> None:
    expected = [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4]
    assert shown("equal-scores") == pytest.approx(np.array(expected), abs=0.005)


def test_width_takes_nearly_everything_and_the_root_gives_it_back() -> None:
    undivided, divided = shown("wide-undivided"), shown("wide-divided")
    assert undivided.max(axis=1).min() >= 0.99
    assert divided.max(axis=1).max() < 0.6
    assert undivided.argmax(axis=1).tolist() == divided.argmax(axis=1).tolist()
    before, after = state("wide-undivided"), state("wide-divided")
    assert {name for name in before if before[name] != after[name]} == {"scale"}


def test_one_shouts_and_is_heard_but_by_who_looks_away() -> None:
    words = state("one-shouts")["words"]
    loud, away = words.index("SHOUT"), words.index("not")
    heard = shown("one-shouts")[:, loud]
    assert heard[away] < 0.01
    assert np.delete(heard, away).min() > 0.98


def test_cold_sharpens_and_hot_evens_out() -> None:
    mild, cold, hot = (shown(name) for name in ("worked-example", "cold", "hot"))
    sat, cat = 2, 1
    assert cold[sat].max() > 0.99
    assert cold[cat] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.005)
    assert np.ptp(hot, axis=1).max() < np.ptp(mild, axis=1).min() + 0.1
    assert (np.ptp(hot, axis=1) < np.ptp(mild, axis=1)).all()
    assert (np.argsort(hot, kind="stable") == np.argsort(mild, kind="stable")).all()


def test_an_unknown_example_is_refused() -> None:
    with pytest.raises(ValueError, match="the only example is worked-example, got 'other'"):
        PLAY({**PRESETS["cold"], "example": "other"})


def test_numbers_made_from_letters_are_of_the_size_that_the_lesson_supposes() -> None:
    wide = np.array([vector_of(f"word{index}", "key", 128) for index in range(200)])
    assert wide.mean() == pytest.approx(0, abs=0.02)
    assert wide.var() == pytest.approx(1, abs=0.02)
    narrow = np.array([vector_of(f"word{index}", "key", 2) for index in range(200)])
    assert set(narrow.ravel()) == {-2, -1, 0, 1, 2}
    assert vector_of("Word", "key", 16) == vector_of("word", "key", 16) != vector_of("word", "query", 16)


def test_the_cost_explorer_begins_with_the_lessons_table() -> None:
    start, table = COSTS()
    assert [row["tokens"] for row in start["rows"]] == [512, 2_048, 8_192, 32_768, 131_072]
    for row in start["rows"]:
        assert (row["pairs"], row["whole"]) == attention_cost(row["tokens"])
        assert row["tiled"] == tiled_megabytes(row["tokens"], 2, 1, 1)
    assert [row[2] for row in table.rows] == ["1 MB", "8 MB", "134 MB", "2,147 MB", "34,360 MB"]
    assert [row[3] for row in table.rows] == ["0.035 MB", "0.041 MB", "0.066 MB", "0.16 MB", "0.56 MB"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(34359.7, "34,360 MB"), (1.0, "1.0 MB"), (1.2, "1 MB"), (0.0123, "0.012 MB"), (0.00099, "0.00099 MB")],
)
def test_memory_is_written_with_two_digits_that_say_something(value: float, expected: str) -> None:
    assert memory(value) == expected
