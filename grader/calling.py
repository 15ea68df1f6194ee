"""How one case is put to a session: as one call of a function, or as a sequence of steps.

Where a learner writes start() and step(cache, q_t, k_t, v_t), a case is still one Call of a function (Q, K, V) ->
outputs: it is performed as start() and one step for each row, the cache kept inside the session, and what the steps
return is put together as that function's result. So checks, diagnosis and gate know functions only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from grader.wire import Call, CallResult, Kind, Outcome, Value

Calling = Literal["function", "steps"]
Ask = Callable[[Call], CallResult]  # such as a session's `call`

START = "start"
STEP_REPLY_BYTES = 64 * 1024  # of one step: those of a long sequence are held together
KEPT = "cache"  # what a cache is called inside the session; of several sequences, with a number


@dataclass(frozen=True, slots=True)
class StepsResult(CallResult):
    """What a sequence of steps came to, as if it had been one call.

    `value`: the outputs stacked, a row for each step; a sequence of them where they cannot be stacked.
    `place`: where it ended early, "start()" or "step 3": what raised there, or returned no pair (`value` is that).
    """

    place: str = ""


def place_of(result: CallResult) -> str:
    """Where a sequence of steps ended early; "" of one that did not, and of a single call."""
    return result.place if isinstance(result, StepsResult) else ""


class Loads(Protocol):
    def load(self, entry: str) -> CallResult: ...
    def call(self, call: Call) -> CallResult: ...


def load(calling: Calling, entry: str, session: Loads) -> CallResult:
    """Runs the source and looks for all that a case will call: `entry`, and start() where that is a step."""
    loaded = session.load(entry)
    if calling == "function" or loaded.outcome is not Outcome.RETURNED:
        return loaded
    started = session.call(Call(START, keep=KEPT))
    stdout = loaded.stdout + started.stdout
    if started.outcome in {Outcome.RETURNED, Outcome.RAISED}:  # what it raises is told by the checks
        return replace(loaded, stdout=stdout)
    return StepsResult(started.outcome, error=started.error, stdout=stdout, place=f"{START}()")


def perform(calling: Calling, calls: Sequence[Call], ask: Ask) -> list[CallResult]:
    """A result for each of `calls`; where they are sequences, all are stepped in turn: the first of each, and so on.

    An outcome that ends the session ends the list too, as its last entry.
    """
    if calling == "steps":
        return _in_turn([_Sequence(call, f"{KEPT}-{number}") for number, call in enumerate(calls)], ask)
    results: list[CallResult] = []
    for call in calls:
        results.append(ask(call))
        if _ends(results[-1]):
            break
    return results


def _in_turn(sequences: Sequence[_Sequence], ask: Ask) -> list[CallResult]:
    while waiting := [sequence for sequence in sequences if not sequence.is_over]:
        for sequence in waiting:
            if _ends(sequence.advance(ask)):
                return [sequence.result()]
    return [sequence.result() for sequence in sequences]


def _ends(result: CallResult) -> bool:
    return result.outcome not in {Outcome.RETURNED, Outcome.RAISED, Outcome.NO_ENTRY}


class _Sequence:
    """One case of steps on its way: start(), then a step for each row of the arguments."""

    def __init__(self, call: Call, name: str) -> None:
        self._name = name
        row_of = zip(*map(rows, call.args), strict=True)
        kept = Value(Kind.KEPT, text=name)
        room = min(call.reply_bytes, STEP_REPLY_BYTES)
        steps = [replace(call, args=(kept, *row), keep=name, keep_item=1, reply_bytes=room) for row in row_of]
        self._calls = [Call(START, keep=name), *steps]
        self._results: list[CallResult] = []
        self._broken = False  # the last call raised, or a step returned no pair

    @property
    def is_over(self) -> bool:
        return self._broken or len(self._results) == len(self._calls)

    def advance(self, ask: Ask) -> CallResult:
        """Makes the next call."""
        number = len(self._results)
        result = ask(self._calls[number])
        self._results.append(result)
        self._broken = result.outcome is not Outcome.RETURNED or (number > 0 and not _is_pair(result.value))
        return result

    def result(self) -> StepsResult:
        """What all calls so far came to."""
        last = self._results[-1]
        number = len(self._results) - 1
        whole = StepsResult(
            last.outcome,
            value=last.value,
            error=last.error,
            stdout=b"".join(result.stdout for result in self._results),
            wall_ms=sum(result.wall_ms for result in self._results),
            signature=last.signature,
            place=f"step {number - 1}" if number else f"{START}()",
        )
        if self._broken or not self.is_over:
            return whole
        steps = self._results[1:]
        outputs = [result.value.items[0] for result in steps if result.value is not None]
        return replace(whole, value=stacked(outputs), arguments=self._arguments(steps), place="")

    def _arguments(self, steps: Sequence[CallResult]) -> tuple[Value, ...]:
        """The arrays of rows as they came back; none where a step gave back more or fewer than it was given."""
        if any(len(result.arguments) != len(call.args) for result, call in zip(steps, self._calls[1:], strict=True)):
            return ()
        return tuple(map(stacked, zip(*(result.arguments[1:] for result in steps), strict=True)))


def _is_pair(value: Value | None) -> bool:
    """An output, and a cache that stayed in the session."""
    if value is None or value.kind is not Kind.SEQUENCE:
        return False
    return [item.kind is Kind.KEPT for item in value.items] == [False, True]


def rows(value: Value) -> list[Value]:
    """The rows of an array of one axis or more, as arrays."""
    count, *shape = value.shape
    size = len(value.data) // count if count else 0
    return [
        replace(value, shape=tuple(shape), data=value.data[start * size : (start + 1) * size]) for start in range(count)
    ]


def stacked(values: Sequence[Value]) -> Value:
    """Arrays of one dtype and shape as one, with a new first axis; anything else as a sequence."""
    alike = {(value.kind, value.dtype, value.shape) for value in values}
    if len(alike) != 1 or values[0].kind is not Kind.ARRAY:
        return Value(Kind.SEQUENCE, items=tuple(values))
    data = b"".join(value.data for value in values)
    return replace(values[0], shape=(len(values), *values[0].shape), data=data)
