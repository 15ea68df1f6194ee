"""The worked example for the page: each arithmetic step in words, with its matrices and what to look at in them."""

from __future__ import annotations

import numpy as np

from attention_core.worked_example import WORDS, Cell, worked_example, written
from attention_core.worked_example import Step as ArithmeticStep
from attention_core.worked_example import steps as arithmetic_steps
from courses.figures.model import Matrix, Step
from courses.figures.words import decimal, listed, short, vector

SHOWN_AS = {
    "Q": "Q, queries",
    "K": "K, keys",
    "V": "V, values",
    "products": "Q Kᵀ, products",
    "scores": "Q Kᵀ / √2, scores",
    "exponentials": "exp(scores)",
    "totals": "row sums",
}
ROLES = {"Q": "query", "K": "key", "V": "value"}
ORDINALS = ("first", "second", "third", "fourth")
NOT_YET = "·"


def worked_steps() -> list[Step]:
    """What is given, then every arithmetic step of attention_core's worked example."""
    given = Step(
        "What is given", _given_text(), tuple(_matrix(name, 0, frozenset()) for name in ("x", "Wq", "Wk", "Wv"))
    )
    return [given, *(_step(number, each) for number, each in enumerate(arithmetic_steps(), start=1))]


def _given_text() -> str:
    return (
        f"Four words, {listed([f'*{word}*' for word in WORDS])}, each a row of three numbers in x. Three matrices turn "
        "a row of three numbers into one of two: a query, a key, a value. All that follows is multiplying, adding, "
        "dividing, and the exponential."
    )


def _step(number: int, step: ArithmeticStep) -> Step:
    title, text = _others(step) if step.row is None else _detailed(step)
    matrices = tuple(_matrix(name, number, _cells(step, name)) for name in _names(step))
    return Step(title, text, matrices)


def _detailed(step: ArithmeticStep) -> tuple[str, str]:
    """Title and text of a step that works out a single number."""
    (target,) = step.writes
    word, other = WORDS[target.row], WORDS[target.column]
    which = ORDINALS[target.column]
    role = ROLES.get(target.matrix, "")
    asked = f"{vector(worked_example().Q[target.row])} times {vector(worked_example().K[target.column])}"
    title, reason = {
        "project": (
            f"The {role} of “{word}”, {which} number",
            f"Take the row of *{word}* in x and the {which} column of W{role[:1]}, and multiply number by number",
        ),
        "score": (
            f"“{word}” asks “{other}”",
            f"How well do they match? The query of *{word}* times the key of *{other}* is {asked}",
        ),
        "scale": (f"Divide: “{word}” and “{other}”", "The width d is 2, so divide by √2"),
        "softmax": _softmax(target),
        "blend": (
            f"The output of “{word}”, {which} number",
            f"Blend the {which} numbers of the values in the proportions of the weights",
        ),
    }[step.stage]
    rounded = (
        " (The sum is taken with all digits of the weights, not just those shown.)" if step.stage == "blend" else ""
    )
    return title, f"{reason}: {step.expression} = **{_result(step)}**.{rounded}"


def _result(step: ArithmeticStep) -> str:
    """As the step's matrix shows it."""
    return short(step.results[0]) if step.stage in ("project", "score") else decimal(step.results[0])


def _softmax(target: Cell) -> tuple[str, str]:
    word, other = WORDS[target.row], WORDS[target.column]
    return {
        "exponentials": (
            f"The exponential: “{word}” and “{other}”",
            "Softmax begins with the exponential of the score, which is positive whatever the score was",
        ),
        "totals": (f"The sum for “{word}”", "Add up the exponentials of the row"),
        "weights": (f"The weight that “{word}” gives to “{other}”", "Take its share of the sum"),
    }.get(target.matrix, ("", ""))


def _others(step: ArithmeticStep) -> tuple[str, str]:
    """Title and text of a step that does to the other rows what was done to one."""
    target = step.writes[-1].matrix
    role = ROLES.get(target, "")
    same = {
        "products": "Every other query meets every key in the same way. All at once, this is Q times Kᵀ",
        "scores": "All the other products are divided by √2 too",
        "weights": "Exponentials, their sum, shares of the sum: the same three steps for each of the other rows",
        "output": "The same for the other three rows. All at once, this is weights times V, and it is the result",
    }
    if role:
        text = f"The other three words in the same way. All at once, this is x times W{role[:1]}"
        return f"The {role} of every other word", f"{text}."
    titles = {
        "products": "All the others ask",
        "scores": "Divide all the others",
        "weights": "The weights of all the others",
    }
    return titles.get(target, "The output of all the others"), f"{same[target]}."


def _names(step: ArithmeticStep) -> tuple[str, ...]:
    """The matrices that a step reads and writes, in the order of the computation."""
    return tuple(dict.fromkeys(cell.matrix for cell in (*step.reads, *step.writes)))


def _cells(step: ArithmeticStep, name: str) -> frozenset[tuple[int, int]]:
    """What to look at: what a single number comes from and where it goes; of many numbers only where they go."""
    cells = step.writes if step.row is None else (*step.reads, *step.writes)
    return frozenset((cell.row, cell.column) for cell in cells if cell.matrix == name)


def _matrix(name: str, number: int, highlighted: frozenset[tuple[int, int]]) -> Matrix:
    """The matrix as far as the first `number` steps have filled it."""
    known, values = written(number)[name], worked_example().matrix(name)
    write = short if np.array_equal(values, values.round()) else decimal
    rows = tuple(
        tuple(write(values[row, column]) if known[row, column] else NOT_YET for column in range(values.shape[1]))
        for row in range(values.shape[0])
    )
    row_labels = () if name.startswith("W") else WORDS
    column_labels = WORDS if name in ("products", "scores", "exponentials", "weights") else ()
    return Matrix(SHOWN_AS.get(name, name), rows, row_labels, column_labels, highlighted)
