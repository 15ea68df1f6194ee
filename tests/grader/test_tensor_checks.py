"""Checks of functions of tensors, in a jail with PyTorch: values, precision, gradients, device, and what is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from attention_core.operations import OPERATIONS
from grader.checks.gradient import FUSED_NODE, OUTPUT_FIRST
from grader.checks.numbers import compare_within
from grader.checks.values import Foreign, GarbledValueError, Tensor, decode, encode, encode_tensor
from grader.judging import framework_of, judge, make_plans
from grader.reporting import ELSEWHERE
from grader.rules import NO_FUSED_ATTENTION
from grader.sandbox import Sandbox
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Report, Status, Visibility
from grader.wire import Call, CallResult, CodeError, Kind, Limits, Outcome, Value
from tests.grader.judged import ScriptedSandbox
from tests.verdicts.exercise import check, exercise

SHOWN, HIDDEN = Visibility.SHOWN, Visibility.HIDDEN
LOW = ("float32", "float16", "bfloat16")
CHECKS = (
    check("worked", SHOWN),
    check("random", SHOWN, cases=2),
    check("random", HIDDEN, is_causal=True),
    check("extreme", HIDDEN, case="huge-scores"),
    check("property", HIDDEN, property="future-hidden"),
    check("unchanged", HIDDEN),
    *(check("precision", HIDDEN, dtype=dtype, cases=2, is_causal=causal) for dtype in LOW for causal in (False, True)),
    check("gradient", HIDDEN, is_causal=True),
    check("gradient", HIDDEN, dtype="bfloat16"),
    check("device", HIDDEN),
    check("device", HIDDEN, is_causal=True),
)
RIGHT = """
import math
import torch

def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(libraries=("numpy", "torch")) as started:
        yield started


def spec(*checks: CheckSpec, **changes: object) -> ExerciseSpec:
    limits = Limits(memory_bytes=1 << 30)
    return replace(exercise("torch-attention", *(checks or CHECKS), limits=limits), **changes)  # type: ignore[arg-type]


def changed(old: str, new: str) -> str:
    assert old in RIGHT
    return RIGHT.replace(old, new)


def judged(sandbox: Sandbox, source: str, *checks: CheckSpec) -> Report:
    return judge(Job(spec(*checks, rules=(NO_FUSED_ATTENTION,)), source.encode(), 11), sandbox)


def failed(report: Report) -> dict[str, str]:
    return {one.id: one.message for one in report.checks if one.status is not Status.PASSED}


def one(kind: str, **parameters: Any) -> CheckSpec:
    return check(kind, HIDDEN, **parameters)


# ---- In a jail ------------------------------------------------------------------------------------------------------

RIGHT_STYLES = {
    "plain": RIGHT,
    "einsum, additive mask, softmax by hand": """
import torch
def attention(q, k, v, is_causal=False):
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.size(-1) ** -0.5
    if is_causal:
        future = torch.full(scores.shape[-2:], float("-inf"), dtype=scores.dtype, device=scores.device)
        scores = scores + torch.triu(future, diagonal=1)
    scores = scores - scores.amax(-1, keepdim=True).detach()
    powers = scores.exp()
    return torch.einsum("...qk,...kd->...qd", powers / powers.sum(-1, keepdim=True), v)
""",
    "a module, in float32 inside for half precision": """
import torch
from torch import nn
class Attention(nn.Module):
    def scaled_dot_product_attention(self, q, k, v, is_causal):
        wide = torch.promote_types(q.dtype, torch.float32)
        scores = q.to(wide) @ k.to(wide).mT / q.shape[-1] ** 0.5
        if is_causal:
            rows, columns = (torch.arange(n, device=q.device) for n in scores.shape[-2:])
            scores = scores.where(columns <= rows[:, None], -torch.inf)
        return (nn.functional.softmax(scores, -1) @ v.to(wide)).to(q.dtype)
model = Attention()
def attention(q, k, v, is_causal=False):
    return model.scaled_dot_product_attention(q, k, v, is_causal)
""",
    "a function of autograd's, whose name is a fused one's": """
import math
import torch
class FlashAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, is_causal):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if is_causal:
            scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
        weights = scores.softmax(-1)
        ctx.save_for_backward(q, k, v, weights)
        return weights @ v
    @staticmethod
    def backward(ctx, g):
        q, k, v, p = ctx.saved_tensors
        dp = g @ v.mT
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / math.sqrt(q.shape[-1])
        return ds @ k, ds.mT @ q, p.mT @ g, None
def attention(q, k, v, is_causal=False):
    return FlashAttention.apply(q, k, v, is_causal)
""",
    "numbers looked at": changed(
        "    weights", "    if float(scores.amax()) > 1e300:\n        raise ValueError\n    weights"
    ),
}


@pytest.mark.parametrize("style", RIGHT_STYLES)
def test_right_code_passes_every_check(sandbox: Sandbox, style: str) -> None:
    for seed in (1, 2, 3):
        report = judge(Job(spec(rules=(NO_FUSED_ATTENTION,)), RIGHT_STYLES[style].encode(), seed), sandbox)
        assert failed(report) == {}
        assert report.points == report.max_points


BY_REVERSED_NAME = """
import torch
NAME = "noitnetta_tcudorp_tod_delacs"
def attention(q, k, v, is_causal=False):
    return getattr(torch.nn.functional, NAME[::-1])(q, k, v, is_causal=is_causal)
"""
SPARSE = """
import torch
class Sparse(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()
    @staticmethod
    def backward(context, gradient):
        return gradient.to_sparse()
"""
WRONG: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "not scaled": (changed(" / math.sqrt(q.shape[-1])", ""), ("no-scale",), {"random-2-shown": "output["}),
    "mask on the CPU": (
        changed(", device=q.device", ""),
        ("device-moved",),
        {"device-True-hidden": "A tensor made on the CPU met one of another device (line 9)"},
    ),
    "output to the CPU": (
        changed("weights @ v", "(weights @ v).cpu()"),
        ("device-moved",),
        {
            "device-hidden": "A tensor was copied to another device, or into one made on the CPU (line",
            "device-True-hidden": "A tensor was copied to another device, or into one made on the CPU (line",
        },
    ),
    "weights detached": (
        changed("dim=-1)", "dim=-1).detach()"),
        ("gradient-blocked",),
        {"gradient-True-hidden": "No gradient reaches q and k:", "gradient-bfloat16-hidden": "No gradient reaches q"},
    ),
    "values detached": (
        changed("weights @ v", "weights @ v.detach()"),
        ("gradient-blocked",),
        {"gradient-True-hidden": "No gradient reaches v:", "gradient-bfloat16-hidden": "No gradient reaches v:"},
    ),
    "a gradient of zeros": (
        changed("weights @ v", "weights @ (v.detach() + 0 * v)"),
        ("gradient-blocked",),
        {"gradient-True-hidden": "No gradient reaches v:", "gradient-bfloat16-hidden": "No gradient reaches v:"},
    ),
    "made anew": (
        changed("weights @ v", "torch.from_numpy((weights @ v).detach().double().numpy()).to(q.dtype)"),
        ("gradient-blocked",),
        {
            "gradient-True-hidden": "No gradient reaches q, k and v:",
            "gradient-bfloat16-hidden": "No gradient reaches q, k and v:",
        },
    ),
    "by way of NumPy": (
        changed("q @ k", "torch.from_numpy(q.double().numpy()).to(q.dtype) @ k"),
        ("gradient-blocked",),
        {
            "gradient-True-hidden": "Your code raised RuntimeError at line 6.",
            "gradient-bfloat16-hidden": "Your code raised RuntimeError at line 6.",
        },
    ),
    "the fused call by a name put together": (
        BY_REVERSED_NAME,
        (),
        {
            "gradient-True-hidden": "The graph behind the result shows PyTorch's own attention.",
            "gradient-bfloat16-hidden": "The graph behind the result shows PyTorch's own attention.",
        },
    ),
    "in single precision": (
        changed("weights @ v", "(weights.float() @ v.float()).to(v.dtype)"),
        ("lower-precision",),
        {"random-2-shown": "output[", "gradient-True-hidden": ""},
    ),
    "weights in half precision": (
        changed("weights @ v", "weights.half().to(v.dtype) @ v"),
        ("lower-precision",),
        {"random-2-shown": "output[", "gradient-True-hidden": OUTPUT_FIRST},
    ),
    "half precision in float64": (
        changed("weights @ v", "(weights @ v).double()"),
        ("wrong-dtype",),
        {"precision-bfloat16-2-True-hidden": "output has dtype float64; expected bfloat16."},
    ),
    "an array": (
        changed("weights @ v", "(weights @ v).double().detach().numpy()"),
        ("not-an-array",),
        {"worked-shown": "output is an array of shape (4, 2); expected a tensor of shape (4, 2), float64."},
    ),
    "a sparse gradient": (
        SPARSE + changed("weights @ v", "weights @ Sparse.apply(v)"),
        (),
        {
            "gradient-True-hidden": "The gradient of v is no dense tensor of floating-point numbers.",
            "gradient-bfloat16-hidden": "The gradient of v is no dense tensor of floating-point numbers.",
        },
    ),
    "lists": (
        changed("weights @ v", "(weights @ v).tolist()"),
        ("not-an-array",),
        {"worked-shown": "output is a sequence of 4; expected a tensor of shape (4, 2), float64."},
    ),
    "complex numbers": (
        changed("weights @ v", "(weights @ v).to(torch.complex128)"),
        ("wrong-dtype",),
        {"worked-shown": "output has dtype complex128; expected float64."},
    ),
    "inputs scaled in place": (
        changed("    scores = q @", "    q.mul_(2)\n    scores = 0.5 * q @"),
        ("mutates-input",),
        {"unchanged-hidden": "q came back changed"},
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_code_is_named_and_told(sandbox: Sandbox, name: str) -> None:
    source, mistakes, told = WRONG[name]
    report = judged(sandbox, source)
    assert report.mistakes == mistakes
    found = failed(report)
    for each, message in told.items():
        assert message in found[each]
    if mistakes in {("gradient-blocked",), ("device-moved",), ()}:
        assert found.keys() == told.keys()


def test_every_dtype_comes_back_as_it_is(sandbox: Sandbox) -> None:
    """The session's own encoding of each dtype is read as what it stands for."""
    source = "import torch\ndef cast(x, name): return x.to(getattr(torch, name))\n"
    numbers = np.array([[0.0, 1.0, -2.5], [3.25, 1000.0, -0.125]])
    with sandbox.open(source, limits=Limits(memory_bytes=1 << 30)) as session:
        session.load("cast")
        for name in ("float64", *LOW, "int64", "int32", "int16", "bool", "complex64"):
            result = session.call(Call("cast", (encode_tensor(numbers, "float64"), encode(name))))
            assert result.value is not None
            back = decode(result.value)
            assert isinstance(back, Tensor)
            wanted = numbers if "float" in name or name == "complex64" else numbers.astype(name)
            assert back.array.tolist() == wanted.tolist()
            assert (back.dtype, back.device) == (name, "cpu")


def test_tensors_too_large_to_print_are_shown_with_their_own_dtype(sandbox: Sandbox) -> None:
    large = check("precision", SHOWN, dtype="bfloat16", sizes={"Tq": 29, "Tk": 23, "d": 19, "dv": 17})
    (result,) = judged(sandbox, RIGHT, large).checks
    assert result.case is not None
    assert result.case["inputs"]["q"] == {"shape": [2, 3, 29, 19], "dtype": "bfloat16"}
    assert result.case["got"]["output"] == {"shape": [2, 3, 29, 17], "dtype": "bfloat16"}


# ---- Without one ----------------------------------------------------------------------------------------------------


def scripted(answer: Callable[[Call], CallResult], *checks: CheckSpec) -> Report:
    sandbox = ScriptedSandbox(lambda _number, call: answer(call))
    return judge(Job(spec(*checks), b"x = 1\n" * 5, 3), sandbox)


def returned(array: np.ndarray, dtype: str = "float64", device: str = "cpu") -> CallResult:
    data = b"" if device == "meta" else array.tobytes()
    return CallResult(Outcome.RETURNED, Value(Kind.TENSOR, dtype=dtype, shape=array.shape, data=data, text=device))


def test_inputs_are_rounded_before_the_expected_values_are_computed() -> None:
    (plan,) = make_plans(Job(spec(one("precision", dtype="bfloat16")), b"", 3), OPERATIONS["torch-attention"])
    (case,) = plan.cases
    sent = decode(case.call.args[0])
    assert isinstance(sent, Tensor)
    assert sent.dtype == "bfloat16"
    np.testing.assert_array_equal(sent.array, case.arguments["q"])
    assert case.arguments["q"].dtype == np.float64
    bits = case.arguments["q"].astype(np.float32).view(np.uint32)
    assert not (bits & 0xFFFF).any()  # bfloat16 is the upper half of float32
    np.testing.assert_array_equal(case.expected[0], OPERATIONS["torch-attention"].reference(**case.arguments))


@pytest.mark.parametrize("dtype", LOW)
def test_in_a_lower_precision_its_own_error_passes_and_more_does_not(dtype: str) -> None:
    one_case = one("precision", dtype=dtype)
    (plan,) = make_plans(Job(spec(one_case), b"", 3), OPERATIONS["torch-attention"])
    (wanted,) = plan.cases[0].wanted
    assert wanted.allowed is not None
    assert wanted.allowed.shape == wanted.value.shape
    inside = compare_within(wanted.value, wanted.value + 0.99 * wanted.allowed, wanted.allowed)
    beyond = wanted.value.copy()
    beyond[..., 1, 1] += 1.01 * wanted.allowed[..., 1, 1]
    outside = compare_within(wanted.value, beyond, wanted.allowed)
    assert inside is None
    assert outside is not None
    assert outside.index is not None
    assert outside.index[-2:] == (1, 1)


def test_nan_is_never_close_but_where_nothing_can_be_asked() -> None:
    expected, nan = np.array([1.0, 2.0]), np.array([1.0, np.nan])
    found = compare_within(expected, nan, np.array([0.1, 0.1]))
    assert found is not None
    assert (found.kind, found.index) == ("nan", (1,))
    assert compare_within(expected, nan, np.array([0.1, np.inf])) is None


def test_zeros_do_not_pass_a_lower_precision() -> None:
    report = scripted(
        lambda call: returned(np.zeros(call.args[0].shape[:-1] + call.args[2].shape[-1:], np.float32), "float32"),
        one("precision", dtype="float32"),
    )
    assert report.status is Status.FAILED


def test_a_result_on_another_device_is_moved() -> None:
    def moves_to_cpu(call: Call) -> CallResult:
        q, k, v, causal = (decode(value) for value in call.args)
        arrays = [np.nan_to_num(tensor.array) for tensor in (q, k, v)]
        return returned(OPERATIONS["torch-attention"].reference(*arrays, causal))

    report = scripted(moves_to_cpu, one("device"))
    assert report.mistakes == ("device-moved",)
    assert "output is on cpu; expected meta, where the arguments are." in report.checks[0].message


@pytest.mark.parametrize(
    ("message", "code", "moved"),
    [
        ("Tensor on device meta is not on the expected device cpu!", "s + mask", True),
        ("Expected all tensors to be on the same device, but found at least two devices, meta and cpu!", "s", True),
        ("Tensor.item() cannot be called on meta tensors", "if s.max() > 9:", False),
        ("Cannot copy out of meta tensor; no data!", "return output.cpu()", True),
        ("Cannot copy out of meta tensor; no data!", "for row in mask.tolist():", False),
    ],
)
def test_what_cannot_run_without_numbers_is_not_accused(message: str, code: str, moved: bool) -> None:
    def raises_on_meta(call: Call) -> CallResult:
        if call.args[0].text == "meta":
            return CallResult(Outcome.RAISED, error=CodeError("RuntimeError", message, 3, traceback=code))
        q, k, v, causal = (decode(value) for value in call.args)
        return returned(OPERATIONS["torch-attention"].reference(q.array, k.array, v.array, causal))

    report = scripted(raises_on_meta, one("device"))
    assert report.mistakes == (("device-moved",) if moved else ())
    assert report.passed is not moved


def test_raising_everywhere_earns_no_points_for_the_device() -> None:
    raised = CallResult(Outcome.RAISED, error=CodeError("RuntimeError", "no"))
    assert scripted(lambda _call: raised, one("device")).status is Status.ERROR


@pytest.mark.parametrize(
    ("node", "fused"),
    [
        ("ScaledDotProductFlashAttentionForCpuBackward0", True),
        ("ScaledDotProductEfficientAttentionBackward0", True),
        ("ScaledDotProductCudnnAttentionBackward0", True),
        ("SafeSoftmaxBackward0", True),
        ("SoftmaxBackward0", False),
        ("FlashAttentionBackward", False),
        ("UnsafeViewBackward0", False),
    ],
)
def test_nodes_of_a_graph(node: str, fused: bool) -> None:
    assert (FUSED_NODE.fullmatch(node) is not None) is fused


def of_integers(call: Call) -> tuple[Value, ...]:
    tensors = [value for value in call.args if value.kind is Kind.TENSOR]
    return tuple(Value(Kind.TENSOR, "int8", of.shape, b"\1" * math.prod(of.shape), text="cpu") for of in tensors)


@pytest.mark.parametrize("gradients", [lambda _call: (Value(Kind.NONE),), of_integers], ids=["too few", "of integers"])
def test_gradients_that_cannot_be_are_a_reply_that_cannot_be_read(
    gradients: Callable[[Call], tuple[Value, ...]],
) -> None:
    def answer(call: Call) -> CallResult:
        q, k, v, causal = (decode(value) for value in call.args)
        right = returned(OPERATIONS["torch-attention"].reference(q.array, k.array, v.array, causal))
        return replace(right, gradients=gradients(call))

    assert scripted(answer, one("gradient")).status is Status.CRASHED


def test_tensors_of_other_dtypes_and_devices() -> None:
    assert decode(Value(Kind.TENSOR, dtype="quint4x2", shape=(1,), data=b"\0", text="cpu")) == Foreign("torch.Tensor")
    placed = decode(Value(Kind.TENSOR, dtype="float32", shape=(1,), data=bytes(4), text="cuda:3"))
    assert placed.device == "cuda"
    for shape in ((2,), (10**9, 10**9, 10**9)):
        with pytest.raises(GarbledValueError):
            decode(Value(Kind.TENSOR, dtype="float32", shape=shape, data=bytes(4), text="cpu"))


# ---- Devices of a job -----------------------------------------------------------------------------------------------

ON_GPU = replace(check("random", HIDDEN), id="on-gpu", device="cuda")


def right_answer(call: Call) -> CallResult:
    q, k, v, causal = (decode(value) for value in call.args)
    reference = OPERATIONS["torch-attention"].reference(q.array, k.array, v.array, causal)
    return returned(reference, device=call.args[0].text)


def test_a_job_for_the_cpu_leaves_the_checks_for_a_gpu_out() -> None:
    report = scripted(right_answer, one("random"), ON_GPU)
    assert [each.status for each in report.checks] == [Status.PASSED, Status.SKIPPED]
    assert report.passed
    assert [report.points, report.max_points] == [Decimal(1), Decimal(2)]
    assert report.checks[1].message == ELSEWHERE["cuda"]


def test_a_job_for_a_gpu_runs_its_checks_only_and_sends_tensors_there() -> None:
    sandbox = ScriptedSandbox(lambda _number, call: right_answer(call))
    report = judge(Job(spec(one("random"), ON_GPU), b"x = 1\n", 3, device="cuda"), sandbox)
    assert [each.status for each in report.checks] == [Status.SKIPPED, Status.PASSED]
    assert report.device == "cuda"
    assert {value.text for call in sandbox.session.calls for value in call.args if value.kind is Kind.TENSOR} == {
        "cuda"
    }


def test_the_framework_of_an_exercise() -> None:
    assert (framework_of(spec()), framework_of(exercise())) == ("torch", "numpy")
