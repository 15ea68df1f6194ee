"""Which mistakes can be told apart, and which of them a set of results shows.

A submission behaves as a mistake does when, on every case of the operation's diagnosis set, its result is the
result of one and the same variant of that mistake, or both raise.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_core.comparison import RAISED, same_result
from attention_core.mistakes.table import MISTAKES
from attention_core.operation import Arguments, Operation, Variant


def outcome(function: Callable[..., Any], arguments: Arguments) -> Any:
    """What `function` returns for a copy of the arguments, or RAISED."""
    try:
        return function(*copy.deepcopy(tuple(arguments.values())))
    except Exception:  # noqa: BLE001 - wrong code may raise anything, and that it raises is its result
        return RAISED


class Diagnosis:
    """The diagnosis set of an operation, with what each wrong implementation makes of it.

    Most variants differ from a given submission on the first case already, so their results are computed when
    they are needed, and kept: hold on to one Diagnosis for each operation.
    """

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.cases: tuple[Arguments, ...] = tuple(operation.diagnosis())
        self._results: dict[tuple[int, int], Any] = {}

    def matching(self, results: Sequence[Any]) -> tuple[str, ...]:
        """Ids of all mistakes that `results` show, in the order of MISTAKES; () where they show none.

        Args:
            results: what an implementation returned for each of `cases`, in order: an ndarray, a Python number,
                a tuple or list of these, or RAISED. Code that raises on every case shows no mistake in particular.

        Raises:
            ValueError: there are not as many results as cases.
        """
        if len(results) != len(self.cases):
            raise ValueError(f"results must be {len(self.cases)}, one for each case, got {len(results)}")
        if all(result is RAISED for result in results):
            return ()
        near = np.flatnonzero(_near(self._fingerprints, _fingerprint(results)))
        found = {self.operation.variants[i].mistake for i in near if self._matches(int(i), results)}
        found |= {fitted.mistake for fitted in self._fitted(results[0]) if self._explains(fitted, results)}
        return tuple(mistake for mistake in MISTAKES if mistake in found)

    def results_of(self, variant: int) -> tuple[Any, ...]:
        """What the variant at this place in `operation.variants` makes of each case."""
        return tuple(self._result(variant, case) for case in range(len(self.cases)))

    def confusions(self) -> set[frozenset[str]]:
        """Pairs of different mistakes of which some variants give the same results on every case."""
        found = set()
        for one, other in self._alike():
            pair = frozenset((self.operation.variants[one].mistake, self.operation.variants[other].mistake))
            if len(pair) == 2 and pair not in found and self._matches(one, self.results_of(other)):
                found.add(pair)
        return found

    def _fitted(self, result: Any) -> tuple[Variant, ...]:
        return () if result is RAISED else self.operation.fit(self.cases[0], result)

    def _explains(self, variant: Variant, results: Sequence[Any]) -> bool:
        return all(map(same_result, (outcome(variant.function, case) for case in self.cases), results))

    def _matches(self, variant: int, results: Sequence[Any]) -> bool:
        return all(same_result(self._result(variant, case), result) for case, result in enumerate(results))

    def _result(self, variant: int, case: int) -> Any:
        key = (variant, case)
        if key not in self._results:
            self._results[key] = outcome(self.operation.variants[variant].function, self.cases[case])
        return self._results[key]

    @cached_property
    def _fingerprints(self) -> NDArray[np.float64]:
        variants = range(len(self.operation.variants))
        return np.array([_fingerprint([self._result(variant, 0)]) for variant in variants])

    def _alike(self) -> Iterator[tuple[int, int]]:
        """Pairs of variants whose fingerprints are near: far fewer than all pairs."""
        for one, fingerprint in enumerate(self._fingerprints):
            for other in np.flatnonzero(_near(self._fingerprints[:one], fingerprint)):
                yield one, int(other)


def confusions(operation: Operation) -> set[frozenset[str]]:
    """Pairs of different mistakes that the operation's diagnosis set cannot tell apart, in some variant of each."""
    return Diagnosis(operation).confusions()


def _fingerprint(results: Sequence[Any]) -> float:
    """One number that says whether a full comparison is worth while: the size of the first case's result."""
    return 0.0 if results[0] is RAISED else _size(results[0])


def _size(result: Any) -> float:
    if isinstance(result, tuple | list):
        return sum(map(_size, result))
    array = np.asarray(result)
    if array.dtype.kind not in "biuf":
        return 0.0
    sizes = np.abs(array.astype(np.float64))
    return float(np.sum(sizes[np.isfinite(sizes)] / 2**10))  # so that no sum of a few numbers overflows


def _near(fingerprints: NDArray[np.float64], fingerprint: float) -> NDArray[np.bool_]:
    """Results that are the same within the tolerance of same_result are nearer than this by a factor of some 10."""
    near: NDArray[np.bool_] = np.abs(fingerprints - fingerprint) <= 1e-5 * np.abs(fingerprints)
    return near
