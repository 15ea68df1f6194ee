"""An attention map explains nothing by itself: two quite different rows of weights that give the same output.

The values of the worked example have two numbers each, and there are four of them: there is a way to move the weights
that changes neither their sum nor the blend. The second row goes that way until a word has next to nothing left.
"""

from __future__ import annotations

import numpy as np

from attention_core.arguments import FloatArray
from attention_core.softmax import softmax
from attention_core.worked_example import worked_example
from courses.figures.bars import Pair, pairs_of_bars
from courses.figures.model import Figure, Table
from courses.figures.words import decimal, percent, vector

NAME = "same-output"
SAT, DOWN = 2, 3
LEAST = 0.01  # of the second row: softmax leaves nobody with nothing


def two_rows() -> tuple[FloatArray, FloatArray]:
    """The weights of *sat* (T,), and others with the same blend of the values, by the softmax of other scores."""
    example = worked_example()
    weights = example.weights[SAT]
    kept = np.vstack([example.V.T, np.ones(len(example.words))])  # what must stay: the blend and the sum
    way = np.linalg.svd(kept)[2][-1]
    way = way * np.sign(way[DOWN])
    shrinking = way < 0
    length = float(np.min((weights[shrinking] - LEAST) / -way[shrinking]))
    return weights, softmax(np.log(weights + length * way))


def same_output() -> Figure:
    example = worked_example()
    rows = two_rows()
    outputs = [vector(row @ example.V) for row in rows]
    moved = {word: [percent(row[place]) for row in rows] for place, word in enumerate(example.words)}
    told = "; ".join(f"{word} {before}, then {after}" for word, (before, after) in moved.items())
    pairs = [
        Pair(word, (float(rows[0][place]), float(rows[1][place])), (moved[word][0], moved[word][1]))
        for place, word in enumerate(example.words)
    ]
    svg = pairs_of_bars(
        NAME,
        "Two rows of weights for sat",
        f"Two bars for each word. {told}. Both rows give the output {outputs[0]}.",
        ("the lesson’s row", "another row, same output"),
        pairs,
        words=True,
    )
    caption = (
        f"The first row is that of *sat* in the lesson. The second takes *the* from {moved['the'][0]} to "
        f"{moved['the'][1]} and gives *down* {moved['down'][1]} for its {moved['down'][0]}. Both blends of the values "
        f"come to {outputs[0]} and {outputs[1]}: whatever reads the output cannot tell the two maps apart."
    )
    cells = [
        (word, vector(example.V[place]), decimal(rows[0][place], 3), decimal(rows[1][place], 3))
        for place, word in enumerate(example.words)
    ]
    table = Table(
        "Two rows of weights with the same output",
        ("Word", "Value", "The lesson’s row", "Another row"),
        (*cells, ("Output", "", *outputs)),
    )
    return Figure(NAME, svg, caption, table)
