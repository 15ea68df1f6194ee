"""The description of one gradable operation: its reference, its cases and its known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Arguments = dict[str, Any]  # by parameter name, in the entry's order; arrays are float64


@dataclass(frozen=True)
class Variant:
    """One wrong implementation of an operation; a mistake may own several."""

    mistake: str  # id in attention_core.mistakes.MISTAKES
    name: str  # unique within the operation
    function: Callable[..., Any]  # same signature as the operation's reference


def no_fit(arguments: Arguments, result: Any) -> tuple[Variant, ...]:  # noqa: ARG001 - what others need, it does not
    """For operations none of whose mistakes has a number in it."""
    return ()


@dataclass(frozen=True, eq=False)  # equal to itself alone, so that what is computed of one can be kept by it
class Operation:
    """What a learner is asked to write, and all that is needed to judge it.

    `reference(**arguments)` returns an ndarray, a tuple of ndarrays, or for costs a tuple of Python numbers.
    """

    name: str  # the exercise's slug
    entry: str  # name of the function to define
    signature: str  # "attention(Q, K, V)"
    returns: tuple[str, ...]  # names of what is returned: ("output", "weights"); one name: not a tuple
    reference: Callable[..., Any]
    draw: Callable[..., Arguments]  # draw(rng, sizes: Mapping[str, int], scale: float) -> Arguments
    default_sizes: Mapping[str, int]  # distinct primes
    worked: Callable[[], Arguments]  # the lesson's worked example
    extremes: Mapping[str, Callable[[np.random.Generator], list[Arguments]]]  # by case name
    diagnosis: Callable[[], list[Arguments]]  # the diagnosis set, always the same
    variants: tuple[Variant, ...] = field(default=())
    # Mistakes with a number in them that only the submission knows: given the first case of the diagnosis set and
    # the submission's result for it, the variant with the number that would explain it, if there is one.
    fit: Callable[[Arguments, Any], tuple[Variant, ...]] = no_fit
    # What the entry is given and returns: arrays, or tensors of PyTorch. The reference and the variants take and
    # return arrays in either case.
    framework: Literal["numpy", "torch"] = "numpy"
    # "steps": the learner writes start() and step(cache, q_t, k_t, v_t), called once for each row of Q, K and V; the
    # operation is the function from these to the outputs, a row for each step.
    calling: Literal["function", "steps"] = "function"
    # A case whose values are unit vectors, so that the output is the weights; None where that cannot be, or where the
    # weights are returned anyway.
    weighing: Callable[[], Arguments] | None = None
    # Samples of mistakes of behaviour, not for diagnosis: functions of what the entry is given, arrays or tensors.
    behaviours: tuple[Variant, ...] = field(default=())
    # Right results at a price: what shows these is the memory or the time that they take, as it grows.
    measured: tuple[Variant, ...] = field(default=())
