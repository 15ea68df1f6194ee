"""Which known mistake an implementation makes, found by how it behaves; or none.

A mistake is named only if the implementation gives what one and the same variant of it gives on every case of the
operation's diagnosis set: equal results (same_result), or an exception where the variant raises. The set tells apart
whatever can be told apart, so mistakes that remain together are the same function. Two mistakes at once, or one that
nobody described, match nothing and are not named.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from attention_core.comparison import ATOL, RAISED, RTOL, same_result, scale_of, to_float
from attention_core.operation import Arguments, Operation, Variant

RIGHT: Final = ""  # stands among the mistakes for the reference
NAN_RESULT: Final = "nan-result"
SAMPLED: Final = 6  # one number in so many is looked at first
FEW: Final = 8  # results that are compared without looking at samples first


def outcome(function: Callable[..., Any], arguments: Arguments) -> Any:
    """What `function` returns for a copy of the arguments, or RAISED."""
    copies = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments.values()]
    try:
        return function(*copies)
    except Exception:  # noqa: BLE001 - wrong code may raise anything, and that it raises is its result
        return RAISED


class Diagnosis:
    """The diagnosis set of an operation, with what the reference and every variant make of each case.

    All of that is computed when one is made: take it from diagnosis_of, which keeps one for each operation.
    """

    def __init__(self, operation: Operation) -> None:
        known = (Variant(RIGHT, "reference", operation.reference), *operation.variants)
        self.operation = operation
        self.cases: tuple[Arguments, ...] = tuple(operation.diagnosis())
        self._mistakes = tuple(each.mistake for each in known)
        self._results = tuple(tuple(outcome(each.function, case) for each in known) for case in self.cases)
        self._known = tuple(map(_Known, self._results))

    def mistakes_of(
        self, answer: Callable[[Arguments], Any], *, rtol: float = RTOL, atol: float = ATOL
    ) -> tuple[str, ...]:
        """Ids of the mistakes that an implementation behaves as, best match first; () where none is certain.

        Code that raises on every case behaves as nothing in particular. What equals the reference on every case is
        not wrong here. Where all results are nothing but NaN, a mistake that explains them cannot be told from any
        other way to get NaN: "nan-result", of which that is certain, is named before it.

        Args:
            answer: gives what the implementation returns for a case (several results as a tuple) or RAISED. It is
                asked for one case after another, in the order of `cases`, until no mistake is left; what it raises
                goes through.
            rtol, atol: of same_result.
        """
        answers: list[Any] = []
        left: Sequence[int] = range(len(self._mistakes))
        fitted: Sequence[Variant] | None = None
        for case, known in zip(self.cases, self._known, strict=True):
            got = answer(case)
            left = known.that_give(got, left, rtol, atol)
            answers.append(got)
            if all(self._mistakes[i] == RIGHT for i in left):
                unseen = 0 if fitted is None else len(answers) - 1  # what was fitted before explains the earlier ones
                fitted = self._fitted(answers[0]) if fitted is None else fitted
                fitted = [each for each in fitted if self._explains(each, answers, unseen, rtol, atol)]
                if not fitted:
                    return ()
        mistakes = [*self._nearest_first(left, answers), *(each.mistake for each in fitted or ())]
        if RIGHT in mistakes or all(got is RAISED for got in answers):
            return ()
        nan = [NAN_RESULT] if all(map(_is_nothing_but_nan, answers)) else []
        return tuple(dict.fromkeys([*nan, *mistakes]))

    def nameless(self) -> tuple[Variant, ...]:
        """Variants that no results can show: on every case they raise, or give what the reference gives."""
        return tuple(
            variant
            for place, variant in enumerate(self.operation.variants, start=1)
            if all(results[place] is RAISED for results in self._results)
            or all(same_result(results[0], results[place]) for results in self._results)
        )

    def _fitted(self, result: Any) -> tuple[Variant, ...]:
        """Variants with a number in them that would explain this result of the first case."""
        with np.errstate(all="ignore"):
            return self.operation.fit(self.cases[0], result)

    def _explains(self, variant: Variant, answers: Sequence[Any], first: int, rtol: float, atol: float) -> bool:
        """Whether the variant gives these answers for as many cases, from place `first` on."""
        together = zip(self.cases[first:], answers[first:], strict=False)
        return all(same_result(outcome(variant.function, case), got, rtol=rtol, atol=atol) for case, got in together)

    def _nearest_first(self, left: Sequence[int], answers: Sequence[Any]) -> list[str]:
        mistakes = [self._mistakes[i] for i in left]
        if len(set(mistakes)) < 2:
            return mistakes
        cases = list(zip(self._results, answers, strict=True))
        distances = [max(_distance(results[i], got) for results, got in cases) for i in left]
        together = sorted(zip(distances, mistakes, strict=True), key=lambda pair: pair[0])
        return [mistake for _, mistake in together]  # of equally near ones, in the operation's own order


@functools.cache
def diagnosis_of(operation: Operation) -> Diagnosis:
    """The Diagnosis of an operation, computed once a process."""
    return Diagnosis(operation)


class _Known:
    """What many implementations give for one case. Most give just what another does, to the last bit: that is kept, and
    compared, once.
    """

    def __init__(self, results: Sequence[Any]) -> None:
        places: dict[Any, int] = {}
        self._group = tuple(places.setdefault(_bits(result), len(places)) for result in results)
        one_of_each = dict(zip(self._group, results, strict=True))
        self._distinct = tuple(one_of_each[group] for group in range(len(places)))
        self._samples = _Samples(self._distinct)

    def that_give(self, result: Any, among: Sequence[int], rtol: float, atol: float) -> list[int]:
        """Those places, of `among`, whose result is the same_result as `result`."""
        wanted = {self._group[i] for i in among}
        if len(wanted) > FEW:
            wanted.intersection_update(self._samples.near(result, rtol, atol))
        same = {each for each in wanted if same_result(self._distinct[each], result, rtol=rtol, atol=atol)}
        return [i for i in among if self._group[i] in same]


def _bits(result: Any) -> Any:
    """Equal only for results that same_result cannot tell apart."""
    if isinstance(result, tuple):
        return tuple(map(_bits, result))
    if type(result) is np.ndarray:
        return result.dtype.str, result.shape, result.tobytes()
    return (type(result), repr(result)) if isinstance(result, int | float) else id(result)


class _Samples:
    """A few numbers of each of many results, a row for each, padded with NaN: nearly always enough to see which of
    them a further result cannot equal, and far quicker than comparing it with each.
    """

    def __init__(self, results: Sequence[Any]) -> None:
        numbers = [_numbers(result) for result in results]
        self._rows = np.full((len(results), max(len(each[::SAMPLED]) for each in numbers)), np.nan)
        for row, each in zip(self._rows, numbers, strict=True):
            row[: len(each[::SAMPLED])] = each[::SAMPLED]
        scales = [max(1.0, scale_of(each)) for each in numbers]  # of no part of a result is the scale larger
        self._scales = np.array(scales)[:, None]

    def near(self, result: Any, rtol: float, atol: float) -> list[int]:
        """Places of the results that same_result may find equal to `result`: all that it does, and few others."""
        sample = _numbers(result)[::SAMPLED]
        missing = self._rows.shape[1] - len(sample)
        if missing < 0:
            return []
        row = np.pad(sample, (0, missing), constant_values=np.nan)
        with np.errstate(invalid="ignore", over="ignore"):  # a difference that is NaN rules nothing out
            off = np.abs(self._rows - row) > rtol * np.abs(self._rows) + atol * self._scales
        off |= np.isnan(self._rows) != np.isnan(row)
        return [int(i) for i in np.flatnonzero(~off.any(axis=1))]


def _numbers(result: Any) -> NDArray[np.float64]:
    """All numbers of a result in a row; none of RAISED, nor of what is no real number."""
    if isinstance(result, tuple | list):
        return np.concatenate([np.empty(0), *map(_numbers, result)])
    array = np.asarray(to_float(result) if isinstance(result, int) else result)
    return array.astype(np.float64).ravel() if array.dtype.kind in "biuf" else np.empty(0)


def _is_nothing_but_nan(result: Any) -> bool:
    numbers = _numbers(result)
    return numbers.size > 0 and bool(np.isnan(numbers).all())


def _distance(expected: Any, got: Any) -> float:
    """The largest difference relative to the scale, in steps of 1e-12: less is rounding and decides nothing."""
    if isinstance(expected, tuple | list):
        return max(map(_distance, expected, got), default=0.0)
    one, other = _numbers(expected), _numbers(got)
    finite = np.isfinite(one) & np.isfinite(other)
    one, other = one[finite], other[finite]
    return float(np.floor(np.abs(one - other).max(initial=0.0) / scale_of(one) * 1e12))
