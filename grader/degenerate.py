"""Answers that take no thought: zeros, what was given, a mean. No exercise may accept one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attention_core.operation import Arguments, Operation


def degenerate_answers(operation: Operation) -> dict[str, Callable[..., Any]]:
    """Answers that take no thought, by name: each must fail."""
    answers = {
        "zeros": _filled(operation, 0.0),
        "ones": _filled(operation, 1.0),
        "NaN": _filled(operation, np.nan),
        "nothing but empty arrays": _each_result(operation, lambda array: array[:0]),
        "results of one row": _each_result(operation, lambda array: array[:1]),
        "every row the mean of all rows": _each_result(operation, lambda array: _spread(array, max(-2, -array.ndim))),
        "every entry the mean of its row": _each_result(operation, lambda array: _spread(array, -1)),
        "None": lambda *_arguments: None,
        **_its_own_arguments(operation),
    }
    shares = {"output", "weights"} & set(operation.returns)
    steering = next((name for name in ("Q", "q", "Wq", "scores") if name in _parameters(operation)), "")
    if shares and steering:
        answers["a hard maximum"] = _steered(operation, steering, 1e9)
        answers["uniform weights"] = _steered(operation, steering, 0.0)
    if operation.returns == ("output",) and "Wv" not in _parameters(operation):
        answers["the mean of all values"] = _mean_of_values
    return answers


def _parameters(operation: Operation) -> Arguments:
    return operation.draw(np.random.default_rng(0), operation.default_sizes, 1.0)


def _its_own_arguments(operation: Operation) -> dict[str, Callable[..., Any]]:
    """As many of the last arguments as there are results; where there is one result, each array by itself."""
    count = len(operation.returns)
    if count > 1:
        return {"its own arguments": lambda *arguments: arguments[-count:]}
    arrays = [name for name, value in _parameters(operation).items() if isinstance(value, np.ndarray)]
    return {f"its own argument {name}": partial(_argument, place) for place, name in enumerate(arrays)}


def _argument(place: int, *arguments: Any) -> Any:
    return arguments[place]


def _steered(operation: Operation, name: str, factor: float) -> Callable[..., Any]:
    """The reference with one argument, which the scores are proportional to, multiplied."""
    place = list(_parameters(operation)).index(name)

    def answer(*arguments: Any) -> Any:
        given = arguments[place]
        steering = np.multiply(given, factor, out=given.copy(), where=np.isfinite(given))
        return operation.reference(*arguments[:place], steering, *arguments[place + 1 :])

    return answer


def _mean_of_values(queries: np.ndarray, _keys: np.ndarray, values: np.ndarray, *_others: Any) -> np.ndarray:
    shape = (*queries.shape[:-1], values.shape[-1])
    return np.broadcast_to(values.mean(axis=-2, keepdims=True), shape).copy()


def _each_result(operation: Operation, change: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Any]:
    """The reference with each array that it returns changed; numbers become 0."""

    def answer(*arguments: Any) -> Any:
        returned = operation.reference(*arguments)
        results = returned if len(operation.returns) > 1 else (returned,)
        changed = tuple(change(result) if isinstance(result, np.ndarray) else type(result)(0) for result in results)
        return changed if len(operation.returns) > 1 else changed[0]

    return answer


def _filled(operation: Operation, number: float) -> Callable[..., Any]:
    return _each_result(operation, lambda array: np.full_like(array, number))


def _spread(array: np.ndarray, axis: int) -> np.ndarray:
    return np.broadcast_to(array.mean(axis=axis, keepdims=True), array.shape).copy()
