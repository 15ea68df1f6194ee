"""Two texts line by line."""

from __future__ import annotations

import time

from grader.differences import AROUND, MOST_LINES, Difference, Line, difference

OLD = "import numpy as np\n\n\ndef f(Q, K):\n    return Q @ K.T\n"
NEW = "import numpy as np\n\n\ndef f(Q, K):\n    s = Q @ K.T\n    return s / 2\n"


def test_a_changed_line_is_one_that_went_and_one_that_came() -> None:
    found = difference(OLD, NEW)
    assert (found.removed, found.added, found.too_long) == (1, 2, False)
    assert found.parts == (
        (
            Line("same", "", 2, 2),
            Line("same", "", 3, 3),
            Line("same", "def f(Q, K):", 4, 4),
            Line("removed", "    return Q @ K.T", before=5),
            Line("added", "    s = Q @ K.T", after=5),
            Line("added", "    return s / 2", after=6),
        ),
    )


def test_what_is_alike_has_no_parts_whatever_ends_it() -> None:
    assert difference(OLD, OLD.rstrip("\n")) == difference(OLD, OLD + "\n") == Difference()


def test_far_changes_are_parts_of_their_own_and_what_lies_between_is_left_out() -> None:
    lines = [str(number) for number in range(40)]
    found = difference("\n".join(lines), "\n".join(["first", *lines[1:-1], "last"]))
    assert [len(part) for part in found.parts] == [2 + AROUND, AROUND + 2]
    assert found.parts[1][-1] == Line("added", "last", after=40)


def test_an_empty_text_is_one_empty_line() -> None:
    assert difference("", "x").parts == ((Line("removed", "", before=1), Line("added", "x", after=1)),)


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert difference("x\n" * (MOST_LINES + 1), "x").too_long
    assert difference("x", "x\n" * (MOST_LINES + 1)).too_long
    assert not difference("x\n" * MOST_LINES, "y\n" * MOST_LINES).too_long


def test_texts_made_to_be_slow_are_not() -> None:
    started = time.perf_counter()
    difference("a\nb\n" * (MOST_LINES // 2), "b\n" + "a\nb\nb\n" * (MOST_LINES // 3))
    difference("a\nb\n" * 99, "b\n" + "a\nb\nb\n" * 66)  # too short for difflib to pass over what is frequent
    assert time.perf_counter() - started < 1
