"""Time and memory beside PyTorch's fused call: measured in a jail on the CPU; on a GPU, from a script of a session."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import torch

from grader.checks import cost
from grader.checks.kind import CheckSpecError
from grader.gpu import checks_for_gpu
from grader.judging import judge
from grader.reports import report_to_json
from grader.sandbox import Sandbox
from grader.verdicts import CheckResult, CheckSpec, ExerciseSpec, Job, Report, Status, Visibility
from grader.wire import CallResult, CodeError, Kind, Limits, Outcome, Value
from tests.grader.judged import ScriptedSandbox
from tests.verdicts.exercise import check, exercise

SIZES = {"B": 1, "H": 2, "T": 128, "d": 16}
TILES = {"B": 1, "H": 1, "T": 4096, "d": 64}  # of which one head's scores are 64 times the output
RIGHT = """
import math
import torch

def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
"""


def cost_check(**parameters: Any) -> CheckSpec:
    given = {"dtype": "bfloat16", "sizes": SIZES, **parameters}
    return replace(check("cost", Visibility.SHOWN, "0", **given), id="cost", device="cuda")


def spec(*checks: CheckSpec) -> ExerciseSpec:
    return exercise("gpu-attention", *checks, limits=Limits(memory_bytes=1 << 30))


# ---- In a jail, on the CPU ------------------------------------------------------------------------------------------

ON_CPU = spec(replace(check("random", Visibility.HIDDEN), device="cuda"), cost_check(is_causal=True))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(libraries=("numpy", "torch")) as started:
        yield started


def judged(sandbox: Sandbox, source: str, asked: ExerciseSpec = ON_CPU) -> Report:
    """As a worker of GPU checks does whose device is the CPU."""
    return judge(Job(checks_for_gpu(asked, "cpu"), source.encode(), 5), sandbox)


def the_cost(report: Report) -> CheckResult:
    return report.checks[-1]


FIGURES = r"Yours took (\S+) ms; PyTorch's fused call (\S+) ms \(B = 1, H = 2, T = 128, d = 16, bfloat16, causal\)\."


def test_both_are_told_for_no_points(sandbox: Sandbox) -> None:
    report = judged(sandbox, RIGHT)
    assert (report.status, report.points, report.max_points) == (Status.PASSED, Decimal(1), Decimal(1))
    told = report_to_json(report)["checks"][-1]
    assert (told["status"], told["points"], told["max_points"], told["mistakes"]) == ("passed", "0", "0", [])
    assert_matches(told["message"])


def assert_matches(message: str) -> tuple[float, float]:
    found = re.fullmatch(FIGURES, message)
    assert found, message
    yours, fused = (float(figure.replace(",", "")) for figure in found.groups())
    assert yours > 0
    assert fused > 0
    return yours, fused


def test_it_is_the_submissions_time(sandbox: Sandbox) -> None:
    source = RIGHT.replace("    scores =", "    time.sleep(0.05)\n    scores =", 1).replace("math", "math, time", 1)
    yours, fused = assert_matches(the_cost(judged(sandbox, source)).message)
    assert yours >= 50 > fused


def test_a_call_that_takes_long_is_made_once(sandbox: Sandbox) -> None:
    slow = f"import time\n{RIGHT}".replace("    scores =", "    time.sleep(2.1 * (len(q[0, 0]) > 99))\n    scores =", 1)
    limits = Limits(wall_seconds=4.0, memory_bytes=1 << 30)
    yours, _ = assert_matches(the_cost(judged(sandbox, slow, replace(ON_CPU, limits=limits))).message)
    assert 2100 <= yours < 4000


@pytest.mark.parametrize(
    "added",
    [
        "max = min = list = range = sum = len = print = None",
        "torch = time = statistics = itertools = None",
        "x = 1 #",
    ],
)
def test_names_of_the_submissions_own_do_not_matter(sandbox: Sandbox, added: str) -> None:
    source = RIGHT.replace("torch.", "t.").replace("import torch", "import torch as t") + added
    assert_matches(the_cost(judged(sandbox, source)).message)


@pytest.mark.parametrize(
    ("at_length", "why"),
    [
        ("assert q.shape[-2] < 100, 'too long'", "Your code raised AssertionError at line 7: too long."),
        ("q.shape[-2] < 100 or os._exit(0)", "Your code ended the process instead of returning"),
        ("while q.shape[-2] > 100: pass", "Your code had not finished after 3 seconds, so it was stopped."),
        ("q.shape[-2] < 100 or torch.zeros(1 << 40)", "Your code needed more than the 1024 MB of memory"),
    ],
    ids=["raises", "exits", "never ends", "takes too much"],
)
def test_what_is_for_information_decides_nothing(sandbox: Sandbox, at_length: str, why: str) -> None:
    source = f"import os\n{RIGHT}".replace("    scores =", f"    {at_length}\n    scores =", 1)
    limits = Limits(wall_seconds=3.0, memory_bytes=1 << 30)
    report = judged(sandbox, source, replace(ON_CPU, limits=limits))
    assert (report.status, report.points, report.max_points) == (Status.PASSED, Decimal(1), Decimal(1))
    assert the_cost(report).status is Status.PASSED
    assert the_cost(report).message.startswith(f"What it costs could not be measured. {why}")


def test_figures_that_were_replaced_are_none(sandbox: Sandbox) -> None:
    report = judged(sandbox, f"{RIGHT}\nimport statistics\nstatistics.median = lambda times: -1.0\n")
    assert (the_cost(report).status, report.mistakes) == (Status.FAILED, ())
    assert "What came back were no figures" in the_cost(report).message


def test_where_memory_is_not_told_nothing_is_said_of_storing(sandbox: Sandbox) -> None:
    asked = spec(cost_check(stores_scores=False, sizes={**TILES, "T": 1024, "d": 16}))
    report = judged(sandbox, RIGHT, asked)
    assert report.passed, report.checks
    assert "MB" not in the_cost(report).message


# ---- From a script, as a GPU would answer ---------------------------------------------------------------------------


def figures(*numbers: float) -> CallResult:
    kinds = {float: Kind.FLOAT, int: Kind.INT}
    items = [
        Value(kinds[type(number)], text=number.hex() if isinstance(number, float) else str(number))
        for number in numbers
    ]
    return CallResult(Outcome.RETURNED, Value(Kind.SEQUENCE, items=tuple(items)))


def scripted(answers: Sequence[CallResult], one: CheckSpec) -> tuple[Report, ScriptedSandbox]:
    sandbox = ScriptedSandbox(lambda number, _call: answers[number])
    return judge(Job(spec(one), RIGHT.encode(), 5, "cuda"), sandbox), sandbox


YOURS, FUSED = figures(3.14, 402_000_000), figures(0.412, 16_777_216)
DESCRIBED = "(B = 1, H = 2, T = 128, d = 16, bfloat16)."


def test_both_are_measured_alike_each_in_a_session_of_its_own() -> None:
    report, sandbox = scripted([YOURS, FUSED], cost_check())
    assert report.checks[0].message == (
        f"Yours took 3.1 ms and 402 MB beyond its inputs; PyTorch's fused call 0.41 ms and 17 MB {DESCRIBED}"
    )
    main, yours, fused = sandbox.sources
    assert main == RIGHT
    measuring = yours.removeprefix(RIGHT)
    assert measuring == cost.MEASURING.format(measure="cost_of_calls", entry="attention")
    assert fused.endswith(measuring)
    assert "scaled_dot_product_attention" in fused.removesuffix(measuring)
    assert len({limits.memory_bytes for limits in sandbox.limits}) == 1
    first, second = sandbox.session.calls
    assert first == second
    assert first.entry == "cost_of_calls"
    assert [(sent.dtype, sent.shape, sent.text) for sent in first.args[:3]] == [
        ("bfloat16", (1, 2, 128, 16), "cuda")
    ] * 3


OURS_FAILS = {
    "out of memory": CallResult(Outcome.MEMORY),
    "raised": CallResult(Outcome.RAISED, error=CodeError("RuntimeError", "no kernel")),
    "without figures": figures(),
    "without memory": figures(1.0),
}


@pytest.mark.parametrize("fused", OURS_FAILS.values(), ids=OURS_FAILS)
def test_a_fused_call_that_cannot_be_measured_is_no_fault_of_a_learners(fused: CallResult) -> None:
    report, _ = scripted([YOURS, fused], cost_check())
    assert report.passed
    assert report.checks[0].message == (
        "Yours took 3.1 ms and 402 MB beyond its inputs; PyTorch's fused call could not be measured " + DESCRIBED
    )


NO_FIGURES = {
    "none": figures(),
    "no memory": figures(1.0),
    "one more": figures(1.0, 2, 3),
    "NaN": figures(float("nan"), 2),
    "infinite": figures(float("inf"), 2),
    "below zero": figures(1.0, -1),
    "too large": figures(1.0, 10**300),
    "a text": CallResult(Outcome.RETURNED, Value(Kind.TEXT, text="1 ms")),
    "texts": CallResult(Outcome.RETURNED, Value(Kind.SEQUENCE, items=(Value(Kind.TEXT, text="1"),) * 2)),
    "bools": CallResult(Outcome.RETURNED, Value(Kind.SEQUENCE, items=(Value(Kind.BOOL, text="True"),) * 2)),
}


@pytest.mark.parametrize("answer", NO_FIGURES.values(), ids=NO_FIGURES)
def test_what_is_no_figure_is_not_shown(answer: CallResult) -> None:
    report, _ = scripted([answer, FUSED], cost_check())
    assert (report.status, report.mistakes) == (Status.FAILED, ())
    told = report.checks[0].message.removeprefix("The sentence of cost-bfloat16-").partition("What came")[2]
    assert told == " back were no figures: something was put in the place of what measures."


SCORES = 4096 * 4096 * 2  # bytes of one head's, in bfloat16


@pytest.mark.parametrize(("peak", "stored"), [(SCORES - 1, False), (SCORES, True), (40 * SCORES, True), (0, False)])
def test_as_much_memory_as_one_heads_scores_is_storing_them(peak: int, stored: bool) -> None:
    report, _ = scripted([figures(3.0, peak), FUSED], cost_check(stores_scores=False, sizes=TILES))
    assert report.mistakes == (("stores-all-scores",) if stored else ())
    assert report.status is (Status.FAILED if stored else Status.PASSED)
    message = report.checks[0].message
    assert ("At its peak it took as much memory as all scores of one head do" in message) == stored
    assert ("They are 34 MB." in message) == stored
    assert "PyTorch's fused call 0.41 ms and 17 MB" in message
    allowed, _ = scripted([figures(3.0, peak), FUSED], cost_check(sizes=TILES))
    assert allowed.passed


def test_one_heads_scores_are_as_large_as_their_precision() -> None:
    single = cost_check(stores_scores=False, sizes=TILES, dtype="float32")
    assert scripted([figures(3.0, 2 * SCORES - 1), FUSED], single)[0].passed
    assert not scripted([figures(3.0, 2 * SCORES), FUSED], single)[0].passed


def test_a_hidden_check_would_tell_no_figure() -> None:
    """They could carry a hidden input out. A package cannot have one."""
    hidden = replace(cost_check(), visibility=Visibility.HIDDEN)
    assert scripted([YOURS, FUSED], hidden)[0].checks[0].message == ""
    tiled = replace(cost_check(stores_scores=False, sizes=TILES), visibility=Visibility.HIDDEN)
    assert "ms" not in scripted([YOURS, FUSED], tiled)[0].checks[0].message


WRONG_CHECKS: dict[str, tuple[CheckSpec, str]] = {
    "points": (replace(cost_check(), points=Decimal("0.5")), "must have 0 points, not 0.5"),
    "too many tokens": (cost_check(sizes={"T": 8193}), "must be 1 to 8192"),
    "no tokens": (cost_check(sizes={"T": 0}), "must be 1 to 8192"),
    "unknown size": (cost_check(sizes={"Tq": 5}), "has no size 'Tq'"),
    "no bool": (cost_check(stores_scores="no"), "is 'no', not true or false"),
    "scores no larger than the rest": (cost_check(stores_scores=False), "64 times the output or more"),
    "just too few": (cost_check(stores_scores=False, sizes={**TILES, "T": 4095}), "64 times the output or more"),
    "dtype": (cost_check(dtype="float8"), "got 'float8'"),
    "flag": (cost_check(is_causal=1), "`with: is_causal` is 1"),
}


@pytest.mark.parametrize(("wrong", "sentence"), WRONG_CHECKS.values(), ids=WRONG_CHECKS)
def test_a_check_that_is_described_wrongly_is_refused(wrong: CheckSpec, sentence: str) -> None:
    with pytest.raises(CheckSpecError, match=sentence):
        judge(Job(spec(wrong), RIGHT.encode(), 5, "cuda"), ScriptedSandbox())


def test_arrays_are_not_measured() -> None:
    asked = exercise("attention", replace(check("cost", Visibility.SHOWN, "0"), id="cost"))
    with pytest.raises(CheckSpecError, match="only tensors are measured"):
        judge(Job(asked, RIGHT.encode(), 5), ScriptedSandbox())


# ---- What measures, where there is a GPU ----------------------------------------------------------------------------


class GpuTensor:
    """As much of one as the measuring function looks at."""

    is_cuda = True

    def new_ones(self, *shape: int) -> torch.Tensor:
        return torch.ones(*shape)


def test_on_a_gpu_it_waits_before_it_looks_at_the_clock_and_counts_all_that_comes_after_the_inputs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    happened: list[str] = []
    held, peak = [100], [0]

    def noted(name: str, returned: Callable[[], Any]) -> Callable[..., Any]:
        def function(*_: Any) -> Any:
            happened.append(name)
            return returned()

        return function

    def attend() -> str:
        held[0] += 5 if happened.count("attention") == 1 else 0  # kept from the first call on, such as a mask
        peak[0] = max(peak[0], held[0] + 70)
        return "output"

    now = iter(range(100))
    monkeypatch.setattr(torch.cuda, "synchronize", noted("wait", lambda: None))
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", noted("reset", lambda: None))
    monkeypatch.setattr(torch.cuda, "memory_allocated", noted("held", lambda: held[0]))
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", noted("peak", lambda: peak[0]))
    monkeypatch.setattr(time, "perf_counter", noted("clock", lambda: next(now) * 0.01))
    module = {"attention": noted("attention", attend)}
    exec(cost.MEASURING.format(measure="cost_of_calls", entry="attention"), module)  # noqa: S102 ours
    milliseconds, taken = module["cost_of_calls"](GpuTensor(), None, None, True)
    assert happened[:4] == ["wait", "reset", "held", "clock"]
    assert happened[4:-1] == ["clock", "attention", "wait", "clock", "clock"] * 8
    assert happened[-1] == "peak"
    assert (milliseconds, taken) == (pytest.approx(10.0), 75)
