"""What a property is: calls made from one drawn case, and what is claimed of their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_core.operation import Arguments

Outputs = Mapping[str, Any]  # a call's results by name


@dataclass(frozen=True, slots=True)
class Claim:
    """`got` must equal `expected`; `name` is what both are called, `case` the call that is to blame."""

    name: str
    expected: Any
    got: Any
    case: int = 0


@dataclass(frozen=True, slots=True)
class Property:
    """`calls` makes the arguments of each call from a drawn case; `claims` relates what came back.

    `in_turn`: so many of the calls, from the first on, are performed in turn where they are sequences of steps.
    """

    calls: Callable[[Arguments, np.random.Generator], list[Arguments]]
    claims: Callable[[Sequence[Arguments], Sequence[Outputs]], list[Claim]]
    in_turn: int = 1


def only(arguments: Arguments, _rng: np.random.Generator) -> list[Arguments]:
    return [arguments]


def same(name: str, outputs: Sequence[Outputs], case: int = 1) -> Claim:
    return Claim(name, outputs[0][name], outputs[case][name], case)


def all_same(*names: str) -> Callable[[Sequence[Arguments], Sequence[Outputs]], list[Claim]]:
    return lambda _arguments, outputs: [same(name, outputs) for name in names]


def another_order(length: int, rng: np.random.Generator) -> np.ndarray:
    """A rotation by one or more places, so that it is never the order that it was."""
    return np.roll(np.arange(length), int(rng.integers(1, length)) if length > 1 else 0)
