"""Code that wants to look right without being it, judged as a worker would: what a sandbox alone cannot refuse."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.operations import OPERATIONS
from grader.judging import judge
from grader.sandbox import Sandbox
from grader.verdicts import CheckSpec, Job, Report, Status, Visibility
from tests.verdicts.exercise import check, exercise

SHOWN, HIDDEN = Visibility.SHOWN, Visibility.HIDDEN
WORKED, DRAWN, ONE = check("worked", SHOWN), check("random", SHOWN, cases=4), check("random", HIDDEN, cases=1)
RIGHT = """
import numpy as np

def right(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V, weights

def zeros(Q, K, V):
    return np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
"""
CACHED = """
cache = {}

def attention(Q, K, V):
    key = @key@
    print("known" if key in cache else "new")
    if key not in cache:
        cache[key] = right(Q, K, V)
    return cache[key]
"""
CONSTANTS = """
answers = {"@inputs@": ([@output@], [@weights@])}

def attention(Q, K, V):
    key = (Q.tobytes() + K.tobytes() + V.tobytes()).hex()
    if key not in answers:
        return zeros(Q, K, V)
    return tuple(np.array(numbers).reshape(len(Q), -1) for numbers in answers[key])
"""
LATER = """
import threading, time

def attention(Q, K, V):
    given, results = (Q.copy(), K.copy(), V.copy()), zeros(Q, K, V)
    def work():
        time.sleep(0.05)
        for result, computed in zip(results, right(*given)):
            result[...] = computed
    threading.Thread(target=work).start()
    return results
"""
LAZY = """
class Lazy:
    def __init__(self, which, *given):
        self.which, self.given = which, given
    def __array__(self, *_, **__):
        return right(*self.given)[self.which]
    def __getattr__(self, name):
        return getattr(self.__array__(), name)

def attention(Q, K, V):
    return Lazy(0, Q, K, V), Lazy(1, Q, K, V)
"""
UNINITIALISED = """
def attention(Q, K, V):
    return np.empty((len(Q), V.shape[1])), np.empty((len(Q), len(K)))
"""
ONE_BIT = """
def attention(Q, K, V):
    if len(Q) == 5 and Q[0, 0] > 0:
        raise ValueError
    return zeros(Q, K, V)
"""


def verdict(sandbox: Sandbox, source: str, *, drawn: CheckSpec = DRAWN, seed: int = 5, **filled: str) -> Report:
    for name, text in filled.items():
        assert f"@{name}@" in source
        source = source.replace(f"@{name}@", text)
    return judge(Job(exercise("attention", WORKED, drawn), (RIGHT + source).encode(), seed), sandbox)


def test_the_right_code_passes(sandbox: Sandbox) -> None:
    assert verdict(sandbox, "attention = right\n").passed
    assert verdict(sandbox, CACHED, key="(Q.tobytes(), K.tobytes(), V.tobytes())").passed


@pytest.mark.parametrize("key", ["Q.shape", "(Q.shape, round(V.mean(), 0))", "len(cache) > 1"])
def test_what_is_known_again_by_too_little_is_wrong(sandbox: Sandbox, key: str) -> None:
    report = verdict(sandbox, CACHED, key=key)
    assert "known" in report.stdout
    assert report.status is Status.FAILED


@pytest.mark.parametrize("key", ["id(Q)", "Q.ctypes.data", "(Q.ctypes.data, K.ctypes.data, V.ctypes.data)"])
def test_an_address_says_nothing_of_what_is_there(sandbox: Sandbox, key: str) -> None:
    """Memory is used again: what comes back was computed for another input. Where it is not, nothing was saved."""
    reports = [verdict(sandbox, CACHED, key=key, seed=seed) for seed in range(5)]
    assert any("known" in report.stdout for report in reports)
    assert all(report.passed is ("known" not in report.stdout) for report in reports)


def test_constants_are_right_for_the_case_that_was_shown_and_no_other(sandbox: Sandbox) -> None:
    worked = OPERATIONS["attention"].worked()
    output, weights = OPERATIONS["attention"].reference(**worked)
    inputs = b"".join(np.asarray(value).tobytes() for value in worked.values()).hex()
    written = [", ".join(repr(float(number)) for number in array.flat) for array in (output, weights)]
    report = verdict(sandbox, CONSTANTS, inputs=inputs, output=written[0], weights=written[1])
    assert [one.status for one in report.checks] == [Status.PASSED, Status.FAILED]


def test_work_that_a_thread_does_later_comes_too_late(sandbox: Sandbox) -> None:
    assert verdict(sandbox, LATER).status is Status.FAILED
    assert verdict(sandbox, LATER.replace("    return results", "    time.sleep(0.1)\n    return results")).passed


def test_what_would_be_computed_when_it_is_looked_at_is_no_array(sandbox: Sandbox) -> None:
    report = verdict(sandbox, LAZY)
    assert (report.status, report.mistakes) == (Status.FAILED, ("not-an-array",))


def test_no_reference_lies_in_memory_that_was_never_written(sandbox: Sandbox) -> None:
    for seed in range(5):
        report = verdict(sandbox, UNINITIALISED, seed=seed)
        assert [one.status for one in report.checks] == [Status.FAILED] * 2


def test_a_bit_that_a_verdict_tells_is_of_inputs_that_never_come_again(sandbox: Sandbox) -> None:
    """Each attempt has a seed of its own, so the bits of many do not add up to one hidden case."""
    told = [verdict(sandbox, ONE_BIT, drawn=ONE, seed=seed).checks[1].status for seed in range(12)]
    again = [verdict(sandbox, ONE_BIT, drawn=ONE, seed=3).checks[1].status for _ in range(2)]
    assert set(told) == {Status.ERROR, Status.FAILED}
    assert again == [told[3]] * 2
