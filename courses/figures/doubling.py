"""A text that is twice as long, again and again: pairs of tokens beside what is done for each token by itself."""

from __future__ import annotations

from attention_core.cost import attention_cost
from courses.figures.bars import Pair, pairs_of_bars
from courses.figures.model import Figure, Table
from courses.figures.words import grouped

NAME = "doubling"
LENGTHS = (1_024, 2_048, 4_096, 8_192)


def doubling() -> Figure:
    first, last = LENGTHS[0], LENGTHS[-1]
    growth = [(n / first, attention_cost(n)[0] / attention_cost(first)[0]) for n in LENGTHS]
    written = [(f"×{grouped(tokens)}", f"×{grouped(pairs)}") for tokens, pairs in growth]
    svg = pairs_of_bars(
        NAME,
        "How the work grows with the length",
        f"Two bars for each length. From {grouped(first)} to {grouped(last)} tokens the linear layers grow to "
        f"{written[-1][0]}, attention to {written[-1][1]}.",
        ("linear layers, a token at a time", "attention, a pair at a time"),
        [Pair(grouped(n), values, texts) for n, values, texts in zip(LENGTHS, growth, written, strict=True)],
    )
    caption = (
        f"The work at four lengths, as multiples of that at {grouped(first)} tokens. Each line doubles the length: "
        f"what is done for each token doubles, what is done for each pair is four times as much. "
        f"At {grouped(last)} tokens it is {written[-1][0]} against {written[-1][1]}."
    )
    rows = tuple((grouped(n), grouped(attention_cost(n)[0]), *each) for n, each in zip(LENGTHS, written, strict=True))
    table = Table("Work as the text doubles", ("Tokens", "Pairs", "Linear layers", "Attention"), rows)
    return Figure(NAME, svg, caption, table)
