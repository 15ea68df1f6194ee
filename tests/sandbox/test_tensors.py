"""PyTorch's tensors across the border, and the jail in which PyTorch is imported before any source runs."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import doubles, floats, run, tensor, text

SAME = "def same(x):\n    return x\n"
META = Value(Kind.TENSOR, "float32", (2, 3), text="meta")

VALUES = {
    "float64": doubles(1.0, -0.0, float("inf"), shape=(3, 1)),
    "float32": tensor("float32", "f", 1.5, -2.5),
    "float16": tensor("float16", "e", 1.5, 2.5, shape=(1, 2)),
    "bfloat16": tensor("bfloat16", "H", 0x3FC0, 0xC040),  # 1.5 and -3: the upper halves of their float32
    "int64": tensor("int64", "q", -1, 2**62),
    "int32": tensor("int32", "i", -1, 2**30),
    "int16": tensor("int16", "h", -1, 2**14),
    "int8": tensor("int8", "b", -1, 127),
    "uint8": tensor("uint8", "B", 0, 255),
    "bool": tensor("bool", "B", 0, 1),
    "complex64": tensor("complex64", "f", 1.0, -2.0, shape=(1,)),
    "complex128": tensor("complex128", "d", 1.0, -2.0, shape=(1,)),
    "no axes": doubles(2.0, shape=()),
    "empty": doubles(shape=(0, 5)),
    "meta": META,
    "in a sequence": Value(Kind.SEQUENCE, items=(doubles(1.0), floats(1.0))),
}


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_tensor_comes_back_as_it_went_in(torch_sandbox: Sandbox, name: str) -> None:
    result = run(torch_sandbox, SAME, "same", VALUES[name])
    assert result.outcome is Outcome.RETURNED, result.error
    assert result.value == VALUES[name]


def test_bytes_are_the_numbers_that_pytorch_sees(torch_sandbox: Sandbox) -> None:
    source = "def look(*tensors):\n    print([tensor.tolist() for tensor in tensors])\n"
    names = ("float32", "float16", "bfloat16", "int16", "bool", "complex64")
    result = run(torch_sandbox, source, "look", *(VALUES[name] for name in names))
    assert result.stdout.decode().strip() == str(
        [[1.5, -2.5], [[1.5, 2.5]], [1.5, -3.0], [-1, 16384], [False, True], [1 - 2j]]
    )


def test_arguments_are_fresh_ordinary_tensors(torch_sandbox: Sandbox) -> None:
    source = """
import torch
def look(x, m, *, named):
    for tensor in (x, m, named):
        assert type(tensor) is torch.Tensor and tensor.is_leaf and tensor.is_contiguous()
        assert not tensor.requires_grad and tensor._base is None and tensor.storage_offset() == 0
    named += 1.0
    return [tensor.device.type for tensor in (x, m, named)]
"""
    with torch_sandbox.open(source, limits=Limits()) as session:
        session.load("look")
        result = session.call(Call("look", (VALUES["bfloat16"], META), {"named": doubles(1.0)}))
    assert result.value == Value(Kind.SEQUENCE, items=(text("cpu"), text("meta"), text("cpu"))), result.error


def test_the_compiler_is_in_memory_only_where_it_is_asked_for(torch_sandbox: Sandbox) -> None:
    """PyTorch imports it at the first call of many a function; the jail spares each session that."""
    source = """
import sys
import torch

class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, gradient):
        return 2 * gradient

def train(x):
    layer = torch.nn.Linear(2, 1, bias=False, dtype=torch.float64)
    torch.nn.init.ones_(layer.weight)
    torch.vmap(layer)(Doubled.apply(x)).sum().backward()
    assert "torch._dynamo" not in sys.modules
    torch.optim.SGD(layer.parameters(), lr=0.5).step()
    assert "torch._dynamo" in sys.modules
    return layer.weight.detach()
"""
    result = run(torch_sandbox, source, "train", doubles(2.0, 4.0, shape=(1, 2)))
    assert result.value == doubles(-1.0, -3.0, shape=(1, 2)), result.error  # 1 - 0.5 · 2x


EXPRESSIONS = {
    "torch.nn.Parameter(torch.ones(2))": "torch.nn.parameter.Parameter",
    "torch.ones(2).as_subclass(Mine)": "Mine",
    "torch.eye(2).to_sparse()": "torch.Tensor of layout torch.sparse_coo",
    "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])": "torch.Tensor of layout nested",
    "torch.ones(2).to(torch.float8_e4m3fn)": "torch.Tensor of dtype torch.float8_e4m3fn",
    "torch.ones(2, dtype=torch.uint16)": "torch.Tensor of dtype torch.uint16",
    "torch.ones(()).expand([1] * 65)": f"torch.Tensor of shape {[1] * 65}"[:200],
    "torch.empty(10**9 + 1, device='meta')": "torch.Tensor of shape [1000000001]",
    "torch.float32": "torch.dtype",
}


@pytest.mark.parametrize("expression", sorted(EXPRESSIONS))
def test_what_is_no_plain_tensor_is_called_by_its_name(torch_sandbox: Sandbox, expression: str) -> None:
    source = f"""
import warnings
warnings.simplefilter("ignore")
import torch
class Mine(torch.Tensor): ...
def make():
    return {expression}
"""
    result = run(torch_sandbox, source, "make")
    assert result.value == Value(Kind.OTHER, text=EXPRESSIONS[expression]), result.error


@pytest.mark.parametrize(
    "expression",
    [
        "torch.arange(6.0, dtype=torch.float64).reshape(2, 3).T",
        "torch.tensor([[0.0], [1.0], [2.0]], dtype=torch.float64).expand(3, 2) + torch.tensor([0.0, 3.0])",
        "torch.complex(torch.zeros(3, 2).double(), -NUMBERS).conj().imag",
        "torch._neg_view(-NUMBERS)",
        "NUMBERS.clone().requires_grad_()",
        "NUMBERS.clone().requires_grad_() * 1.0",
    ],
)
def test_any_tensor_comes_back_in_c_order_and_detached(torch_sandbox: Sandbox, expression: str) -> None:
    source = f"""
import torch
NUMBERS = torch.tensor([[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]], dtype=torch.float64)
def make():
    return {expression}
"""
    result = run(torch_sandbox, source, "make")
    assert result.value == doubles(0.0, 3.0, 1.0, 4.0, 2.0, 5.0, shape=(3, 2)), result.error


def test_a_conjugate_comes_back_as_its_numbers(torch_sandbox: Sandbox) -> None:
    result = run(torch_sandbox, "def make(x):\n    return x.conj()\n", "make", VALUES["complex128"])
    assert result.value == tensor("complex128", "d", 1.0, 2.0, shape=(1,))


def test_where_a_result_is_is_told(torch_sandbox: Sandbox) -> None:
    moved = run(torch_sandbox, "def move(x):\n    return x.to('meta')\n", "move", doubles(1.0, 2.0))
    assert moved.value == Value(Kind.TENSOR, "float64", (2,), text="meta")
    source = "import torch\ntorch.set_default_device('meta')\ntorch.set_default_dtype(torch.float16)\n" + SAME
    assert run(torch_sandbox, source, "same", doubles(1.0)).value == doubles(1.0)


def test_tensors_come_back_as_they_are_after_the_call(torch_sandbox: Sandbox) -> None:
    source = "def spoil(x, y, z):\n    x[0] = 9.0\n    y.unsqueeze_(0)\n    return z.add(1.0)\n"
    result = run(
        torch_sandbox, source, "spoil", doubles(1.0, 2.0), doubles(3.0, 4.0), doubles(5.0), arguments_back=True
    )
    assert result.arguments == (doubles(9.0, 2.0), doubles(3.0, 4.0, shape=(1, 2)), doubles(5.0))


def test_a_tensor_beyond_the_reply_is_not_read(torch_sandbox: Sandbox) -> None:
    source = "import torch\ndef make(n):\n    return torch.zeros(n, dtype=torch.bfloat16).expand(2, n)\n"
    fits, large = (Value(Kind.INT, text=str(number)) for number in (10, 11))
    assert run(torch_sandbox, source, "make", fits, reply_bytes=40).outcome is Outcome.RETURNED
    assert run(torch_sandbox, source, "make", large, reply_bytes=40).outcome is Outcome.TOO_LARGE


def test_a_shape_that_no_machine_could_hold_is_only_numbers(torch_sandbox: Sandbox) -> None:
    source = "import torch\ndef make():\n    return torch.empty([10**9] * 2, device='meta')\n"
    assert run(torch_sandbox, source, "make").value == Value(Kind.TENSOR, "float32", (10**9,) * 2, text="meta")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Value(Kind.TENSOR, "float64", (2,), bytes(8), text="cpu"), "is 16 bytes, got 8"),
        (Value(Kind.TENSOR, "float64", (2,), bytes(16), text="meta"), "is 0 bytes, got 16"),
        (Value(Kind.TENSOR, "<f8", (2,), bytes(16), text="cpu"), "expected a dtype of PyTorch's"),
        (Value(Kind.TENSOR, "float64", (2,), bytes(16), text="cuda"), "expected a tensor for one of the devices"),
        (Value(Kind.TENSOR, "float64", (2,), bytes(16)), "expected a tensor for one of the devices"),
    ],
)
def test_a_tensor_that_cannot_be_sent_is_an_error_of_the_caller(
    torch_sandbox: Sandbox, value: Value, message: str
) -> None:
    with torch_sandbox.open(SAME, limits=Limits()) as session:
        session.load("same")
        with pytest.raises(ValueError, match=message):
            session.call(Call("same", (value,)))
        assert session.call(Call("same", (doubles(1.0),))).value == doubles(1.0)


def test_without_pytorch_no_tensor_is_sent_and_nothing_of_it_is_there(sandbox: Sandbox) -> None:
    source = """
import importlib.util, sys
def look(x):
    return "torch" in sys.modules, importlib.util.find_spec("torch")
"""
    with sandbox.open(source, limits=Limits()) as session:
        session.load("look")
        for value in (doubles(1.0), Value(Kind.SEQUENCE, items=(doubles(1.0),))):
            with pytest.raises(ValueError, match="without PyTorch"):
                session.call(Call("look", (value,)))
        with pytest.raises(ValueError, match="without PyTorch"):
            session.call(Call("look", (floats(1.0),), cotangent=doubles(1.0)))
        result = session.call(Call("look", (floats(1.0),)))
    assert result.value == Value(Kind.SEQUENCE, items=(Value(Kind.BOOL, text="False"), Value(Kind.NONE)))


# ---- The jail with PyTorch in it ----


def test_the_processor_is_used_as_outside_and_nothing_is_said(torch_sandbox: Sandbox) -> None:
    """Sessions see no /proc, from which PyTorch finds out what the processor can do."""
    import torch

    source = "import torch\ndef f(x):\n    x @ x\n    return torch.backends.cpu.get_cpu_capability()\n"
    result = run(torch_sandbox, source, "f", doubles(1.0))
    assert result.value == text(torch.backends.cpu.get_cpu_capability())
    assert result.stdout == b""


def test_random_state_is_the_same_in_every_session(torch_sandbox: Sandbox) -> None:
    import torch

    torch.manual_seed(0)
    expected = torch.rand(2, dtype=torch.float64).tolist()
    source = "import torch\ndef draw():\n    return torch.rand(2, dtype=torch.float64)\n"
    for _ in range(2):
        assert run(torch_sandbox, source, "draw").value == doubles(*expected)


def test_a_session_may_use_threads_of_its_own(torch_sandbox: Sandbox) -> None:
    source = """
import torch
def f():
    assert torch.get_num_threads() == 1
    torch.set_num_threads(3)
    x = torch.ones(900, 900, requires_grad=True)
    y = torch.softmax(x @ x, dim=-1).exp().sum()
    y.backward()
    return tuple(x.grad.shape) == (900, 900)
"""
    result = run(torch_sandbox, source, "f", limits=Limits(memory_bytes=1 << 30))
    assert result.value == Value(Kind.BOOL, text="True"), (result.outcome, result.error)


@pytest.mark.parametrize(
    "expression", ["torch.ones(1 << 40)", "[torch.ones(1 << 20) for _ in range(1000)]", "X @ X.T", "bytearray(1 << 40)"]
)
def test_memory_that_pytorch_cannot_have_is_the_limits(torch_sandbox: Sandbox, expression: str) -> None:
    source = f"import torch\nX = torch.ones(30_000, 2)\ndef f():\n    return {expression}\n"
    result = run(torch_sandbox, source, "f", limits=Limits(memory_bytes=256 << 20))
    assert result.outcome is Outcome.MEMORY, result.error


def test_an_error_of_pytorchs_is_the_learners_with_its_line(torch_sandbox: Sandbox) -> None:
    result = run(torch_sandbox, "def f(x):\n    y = x\n    return x @ y\n", "f", doubles(1.0, 2.0, shape=(1, 2)))
    assert result.outcome is Outcome.RAISED
    assert result.error is not None
    assert (result.error.type, result.error.line) == ("RuntimeError", 3)


def test_right_attention_of_every_precision(torch_sandbox: Sandbox) -> None:
    """By hand: both keys score 0, so the weights are 1/2 each, and the outputs the mean of the values."""
    source = """
import torch
def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v
"""
    layouts = {"float64": "d", "float32": "f", "float16": "e"}
    with torch_sandbox.open(source, limits=Limits()) as session:
        session.load("attention")
        for dtype, letter in layouts.items():
            q = tensor(dtype, letter, 1.0, 0.0, shape=(1, 2))
            k = tensor(dtype, letter, 0.0, 1.0, 0.0, -1.0, shape=(2, 2))
            v = tensor(dtype, letter, 1.0, 5.0, shape=(2, 1))
            assert session.call(Call("attention", (q, k, v))).value == tensor(dtype, letter, 3.0, shape=(1, 1))
        one, minus_one, five = 0x3F80, 0xBF80, 0x40A0
        q = tensor("bfloat16", "H", one, 0, shape=(1, 2))
        k = tensor("bfloat16", "H", 0, one, 0, minus_one, shape=(2, 2))
        v = tensor("bfloat16", "H", one, five, shape=(2, 1))
        assert session.call(Call("attention", (q, k, v))).value == tensor("bfloat16", "H", 0x4040, shape=(1, 1))
