"""Growth of memory and of time: what is found of which measurements, and what sessions really take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from django.conf import settings

from attention_core.operations import OPERATIONS
from grader.checks.kind import Case, Measurement, Meter
from grader.checks.memory import judge_peaks
from grader.checks.step_time import LEAST_MS, recomputes
from grader.checks.values import decode
from grader.inprocess import FunctionSession
from grader.judging import MEASURED_SECONDS, judge, make_plans
from grader.sandbox import Sandbox
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Report, Status, Visibility
from grader.wire import CallResult, Limits, Outcome, Usage
from tests.verdicts.exercise import check, exercise

SHOWN, HIDDEN = Visibility.SHOWN, Visibility.HIDDEN
WIDTH = {"d": 4, "dv": 4}
MEMORY = check("memory", SHOWN, tokens=[512, 3072], block_size=16, causal=True, sizes=WIDTH)
STEP_TIME = check("step-time", SHOWN, tokens=[256, 512], sizes={"d": 8, "dv": 8})
LIMITS = Limits(wall_seconds=30.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def of(operation: str, *checks: CheckSpec) -> ExerciseSpec:
    entry = "step" if operation == "kv-cache" else OPERATIONS[operation].entry
    return replace(exercise(operation, *checks, limits=LIMITS), entry=entry)


# ---- Memory, in a jail ----------------------------------------------------------------------------------------------

TILED = """
import numpy as np

def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    output = np.zeros((T, V.shape[1]))
    for i in range(0, T, block_size):
        q = Q[i:i + block_size]
        m, l, o = np.full((len(q), 1), -np.inf), np.zeros((len(q), 1)), np.zeros((len(q), V.shape[1]))
        for j in range(0, i + len(q) if causal else T, block_size):
            s = q @ K[j:j + block_size].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(j, j + s.shape[1]) > np.arange(i, i + len(q))[:, None], -np.inf, s)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            old, p = np.exp(m - new), np.exp(s - new)
            m, l, o = new, l * old + p.sum(axis=1, keepdims=True), o * old + p @ V[j:j + block_size]
        output[i:i + block_size] = o / l
    return output
"""
ROWS_OF_BLOCKS = """
import numpy as np

def tiled_attention(Q, K, V, block_size, causal=False):
    outputs = []
    for i in range(0, len(Q), block_size):
        scores = Q[i:i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            scores = np.where(np.arange(len(K)) > np.arange(i, i + len(scores))[:, None], -np.inf, scores)
        scores = scores - scores.max(axis=1, keepdims=True)
        weights = np.exp(scores)
        weights = weights / weights.sum(axis=1, keepdims=True)
        outputs.append(weights @ V)
    return np.concatenate(outputs)
"""
MASK_OF_ALL = TILED.replace("    output =", "    past = np.tri(T, dtype=bool)\n    output =").replace(
    "np.arange(j, j + s.shape[1]) > np.arange(i, i + len(q))[:, None]", "~past[i:i + block_size, j:j + block_size]"
)
MASK_IN_A_MAPPING = MASK_OF_ALL.replace(
    "past = np.tri(T, dtype=bool)",
    "import mmap\n    past = np.frombuffer(mmap.mmap(-1, T * T), dtype=bool).reshape(T, T)\n"
    "    for t in range(T):\n        past[t, :t + 1] = True",
)
WHOLE = """
import numpy as np

def tiled_attention(Q, K, V, block_size, causal=False):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores[np.triu_indices(len(Q), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V
"""
BEHIND_A_PEAK = "import numpy as np\n_peak = np.ones(8_000_000)\ndel _peak\n" + MASK_OF_ALL


def judged(sandbox: Sandbox, operation: str, source: str, one: CheckSpec) -> Report:
    return judge(Job(of(operation, check("random", HIDDEN), one), source.encode(), 5), sandbox)


@pytest.mark.parametrize("source", [TILED, ROWS_OF_BLOCKS], ids=["tiles", "rows of blocks"])
def test_memory_that_grows_like_the_tokens_passes(sandbox: Sandbox, source: str) -> None:
    report = judged(sandbox, "tiled-attention", source, MEMORY)
    assert report.passed, report.checks


@pytest.mark.parametrize("source", [MASK_OF_ALL, MASK_IN_A_MAPPING, WHOLE], ids=["mask", "mapping", "whole"])
def test_a_number_for_every_score_is_seen_be_it_a_boolean(sandbox: Sandbox, source: str) -> None:
    assert source != TILED
    report = judged(sandbox, "tiled-attention", source, MEMORY)
    assert report.mistakes == ("stores-all-scores",), report.checks
    assert "one byte for each score would be 9.2 MB" in report.checks[1].message
    assert report.checks[0].status is Status.PASSED


def test_memory_behind_an_earlier_peak_earns_nothing_and_is_not_accused(sandbox: Sandbox) -> None:
    report = judged(sandbox, "tiled-attention", BEHIND_A_PEAK, MEMORY)
    assert (report.status, report.mistakes) == (Status.FAILED, ())
    assert "nothing can be said of how it grows" in report.checks[1].message


def test_constants_take_no_memory_and_earn_nothing(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef tiled_attention(Q, K, V, block_size, causal=False): return V * 0\n"
    report = judged(sandbox, "tiled-attention", source, MEMORY)
    assert report.points == 0
    assert "stores-all-scores" not in report.mistakes


# ---- Time, in a jail ------------------------------------------------------------------------------------------------

LISTS = """
import numpy as np

def start():
    return [], []

def step(cache, q_t, k_t, v_t):
    keys, values = cache
    keys.append(k_t)
    values.append(v_t)
    scores = np.array(keys) @ q_t / np.sqrt(q_t.size)
    weights = np.exp(scores - scores.max())
    return weights / weights.sum() @ np.array(values), cache
"""
JOINED = """
import numpy as np

def start():
    return None

def step(cache, q_t, k_t, v_t):
    keys = k_t[None] if cache is None else np.concatenate([cache[0], k_t[None]])
    values = v_t[None] if cache is None else np.concatenate([cache[1], v_t[None]])
    scores = keys @ q_t / q_t.size ** 0.5
    weights = np.exp(scores - scores.max())
    return weights / weights.sum() @ values, (keys, values)
"""
PYTHON = """
import math
import numpy as np

def start():
    return []

def step(cache, q_t, k_t, v_t):
    cache.append((k_t.tolist(), v_t.tolist()))
    query = q_t.tolist()
    scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key, _ in cache]
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    total = sum(powers)
    return np.array([sum(p * row[j] for p, (_, row) in zip(powers, cache)) / total for j in range(v_t.size)]), cache
"""
ALL_ANEW = """
import numpy as np

def start():
    return [], [], []

def step(cache, q_t, k_t, v_t):
    for rows, row in zip(cache, (q_t, k_t, v_t)):
        rows.append(row)
    Q, K, V = map(np.array, cache)
    scores = np.where(np.tri(len(Q), dtype=bool), Q @ K.T / np.sqrt(q_t.size), -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True) @ V)[-1], cache
"""


@pytest.mark.parametrize("source", [LISTS, JOINED, PYTHON], ids=["lists", "joined", "Python"])
def test_steps_that_look_at_every_token_once_pass(sandbox: Sandbox, source: str) -> None:
    report = judged(sandbox, "kv-cache", source, STEP_TIME)
    assert report.passed, report.checks


def test_steps_that_compute_the_past_anew_are_seen(sandbox: Sandbox) -> None:
    report = judged(sandbox, "kv-cache", ALL_ANEW, STEP_TIME)
    assert report.mistakes == ("recomputes-past",), report.checks
    assert "times the processor time of 256." in report.checks[1].message


# ---- What is found of which measurements ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peaks", "mistakes", "passed"),
    [
        ([24_000_000, 27_000_000, 28_000_000], (), True),
        ([24_000_000, 27_000_000, 33_400_000], (), True),  # just below the share
        ([24_000_000, 27_000_000, 33_500_000], ("stores-all-scores",), False),
        ([24_000_000, 27_000_000, 36_000_000], ("stores-all-scores",), False),
        ([24_000_000, 68_000_000, 68_000_000], (), True),  # many imports
        ([24_000_000, 68_200_000, 68_200_000], (), False),
    ],
)
def test_peaks(peaks: list[int], mistakes: tuple[str, ...], passed: bool) -> None:
    finding = judge_peaks(peaks, [512, 3072])
    assert (finding.mistakes, finding.status is Status.PASSED) == (mistakes, passed)
    assert "MB" not in finding.fact  # which a hidden check tells: memory is the learner's to choose


@pytest.mark.parametrize(
    ("found", "accused"),
    [
        ([(100.0, 800.0)], True),
        ([(100.0, 610.0)], True),
        ([(100.0, 590.0)], False),
        ([(10.0, LEAST_MS - 1)], False),
        ([(-5.0, 1000.0)], False),  # nothing is left of the half: no ratio
        ([(100.0, 800.0), (120.0, 790.0)], True),
        ([(100.0, 800.0), (150.0, 1200.0)], False),  # not by the least favourable of both
    ],
)
def test_times(found: list[tuple[float, float]], accused: bool) -> None:
    assert recomputes(found) is accused


class MeasuredSandbox:
    """Sessions of the reference whose usage is the next of a script; the first session is the checks' own."""

    def __init__(self, operation: str, usages: Sequence[Usage | None], ends: int = -1, seconds: float = 0.1) -> None:
        self.operation, self.usages, self.ends = OPERATIONS[operation], [None, *usages], ends
        self.seconds = seconds  # that each session takes
        self.opened: list[tuple[str, Limits]] = []

    @contextmanager
    def open(self, source: str, *, limits: Limits) -> Iterator[FunctionSession]:
        usage, ends = self.usages[len(self.opened)], len(self.opened) == self.ends
        seconds = self.seconds
        self.opened.append((source, limits))

        class Session(FunctionSession):
            @property
            def usage(self) -> Usage | None:
                return usage

            @property
            def elapsed_ms(self) -> float:
                return seconds * 1000

            def call(self, call: object) -> CallResult:
                return CallResult(Outcome.TIMEOUT) if ends else super().call(call)  # type: ignore[arg-type]

        yield Session(self.operation.reference)


def measured(sandbox: MeasuredSandbox, *checks: CheckSpec) -> Report:
    spec = of("tiled-attention", *checks)
    return judge(Job(spec, b"source = 1\n", 5), sandbox)


SMALL = check("memory", HIDDEN, tokens=[8, 192], block_size=1)


def test_each_measurement_has_a_session_of_its_own_with_little_room_for_files() -> None:
    sandbox = MeasuredSandbox("tiled-attention", [Usage(1_000_000, 1.0)] * 3)
    assert measured(sandbox, check("random", HIDDEN), SMALL).passed
    sources = [source for source, _ in sandbox.opened]
    assert sources == ["source = 1\n", "pass\n", "source = 1\n", "source = 1\n"]
    assert [limits.scratch_bytes for _, limits in sandbox.opened] == [LIMITS.scratch_bytes, *[64 * 1024] * 3]
    assert {limits.wall_seconds for _, limits in sandbox.opened} == {LIMITS.wall_seconds}


def test_a_measured_session_that_ends_otherwise_counts_as_it_does_elsewhere() -> None:
    sandbox = MeasuredSandbox("tiled-attention", [Usage(1_000_000, 1.0)] * 3, ends=2)
    report = measured(sandbox, SMALL, replace(SMALL, id="again"), check("random", HIDDEN))
    assert [one.status for one in report.checks] == [Status.TIMEOUT, Status.SKIPPED, Status.PASSED]
    assert report.status is Status.TIMEOUT
    assert report.checks[0].message == "Your code had not finished after 30 seconds, so it was stopped."
    assert len(sandbox.opened) == 3


@pytest.mark.parametrize(("seconds", "left"), [(29.0, [30, 30, 12]), (25.0, [30, 30, 20])])
def test_all_that_is_measured_of_a_submission_has_its_time_together(seconds: float, left: list[float]) -> None:
    """And what ends for that is told so: code that is right and slow is no fault of ours."""
    usages = [Usage(1_000_000, 1.0)] * 9
    sandbox = MeasuredSandbox("tiled-attention", usages, seconds=seconds)
    report = measured(sandbox, SMALL, replace(SMALL, id="again"))
    assert [limits.wall_seconds for source, limits in sandbox.opened[1:] if source != "pass\n"] == left
    assert [one.status for one in report.checks] == [Status.PASSED, Status.TIMEOUT]
    assert report.checks[1].message == (
        "Your code took more than 70 seconds in all that was measured of it, so it was stopped."
    )


def test_a_session_that_ends_with_all_the_time_is_told_so() -> None:
    sandbox = MeasuredSandbox("tiled-attention", [Usage(1_000_000, 1.0)] * 9, ends=5, seconds=25.0)
    report = measured(sandbox, SMALL, replace(SMALL, id="again"))
    assert report.checks[1].message.startswith("Your code took more than 70 seconds in all")


def test_judging_ends_well_before_a_worker_is_stopped() -> None:
    assert Limits().wall_seconds + MEASURED_SECONDS <= settings.GRADING_SOFT_LIMIT - 10


def test_a_sandbox_that_does_not_say_what_a_session_took_is_our_fault() -> None:
    with pytest.raises(RuntimeError, match="did not say what a session took"):
        measured(MeasuredSandbox("tiled-attention", [None] * 3), SMALL)


def test_wrong_values_are_told_and_nothing_is_measured_further() -> None:
    sandbox = MeasuredSandbox("tiled-attention", [Usage(1_000_000, 1.0)] * 3)
    original = sandbox.operation.reference
    sandbox.operation = replace(sandbox.operation, reference=lambda *arguments: np.asarray(original(*arguments)) + 1)
    report = measured(sandbox, SMALL)
    assert (report.status, report.checks[0].mistakes) == (Status.FAILED, ())
    assert len(sandbox.opened) == 3


# ---- What is put to sessions ----------------------------------------------------------------------------------------


def test_memory_expects_what_blocks_of_ours_come_to_and_asks_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    operation = OPERATIONS["tiled-attention"]
    computed: list[int] = []

    def noted(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block_size: int, causal: bool) -> np.ndarray:
        computed.append(block_size)
        return np.asarray(operation.reference(Q, K, V, block_size, causal))

    spec = of("tiled-attention", replace(SMALL, parameters={**SMALL.parameters, "causal": True}))
    (plan,) = make_plans(Job(spec, b"", 5), replace(operation, reference=noted))
    assert computed == [256, 256]
    for case, tokens in zip(plan.cases, (8, 192), strict=True):
        Q, K, V, block_size, causal = (decode(value) for value in case.call.args)
        assert (len(Q), block_size, causal) == (tokens, 1, True) == (tokens, case.arguments["block_size"], True)
        scores = np.where(np.tri(tokens) > 0, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        assert np.allclose(case.expected[0], weights / weights.sum(axis=1, keepdims=True) @ V, rtol=1e-12)


class ScriptedMeter:
    """Performs the cases with the reference; the processor times of its sessions are the next of a script."""

    def __init__(self, cpu_ms: Sequence[float]) -> None:
        self.cpu_ms = list(cpu_ms)
        self.session = FunctionSession(OPERATIONS["kv-cache"].reference)

    def measure(self, cases: Sequence[Case]) -> Measurement:
        results = tuple(self.session.call(case.call) for case in cases)
        return Measurement(results, Usage(0, self.cpu_ms.pop(0)))


ROUND = [1000.0, 5.0, 105.0, 155.0]  # the whole, nothing, the calls, the half: 890 of the whole, 100 of the half


@pytest.mark.parametrize(
    ("cpu_ms", "mistakes"),
    [
        ([199.0], ()),
        ([304.0, 5.0, 105.0], ()),  # without the calls it is less than what anything is said of
        ([*ROUND[:3], 250.0], ()),
        ([*ROUND, *ROUND[:3], 250.0], ()),
        ([*ROUND, 199.0], ()),
        ([*ROUND, 304.0, 5.0, 105.0], ()),
        ([*ROUND, *ROUND], ("recomputes-past",)),
    ],
)
def test_no_more_is_measured_than_decides(cpu_ms: list[float], mistakes: tuple[str, ...]) -> None:
    one = check("step-time", SHOWN, tokens=[16, 32], sizes={"d": 8, "dv": 8})
    (plan,) = make_plans(Job(of("kv-cache", one), b"", 5), OPERATIONS["kv-cache"])
    meter = ScriptedMeter(cpu_ms)
    finding = plan.kind.measure(plan.context, plan.cases, cast(Meter, meter))
    assert (finding.mistakes, finding.status is Status.PASSED) == (mistakes, not mistakes)
    assert meter.cpu_ms == []
