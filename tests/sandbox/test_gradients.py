"""Gradients of a learner's function: computed in the session, sent as tensors, checked like any reply."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, CallResult, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import doubles, floats, tensor

NONE = Value(Kind.NONE)
ACCUMULATE = "torch::autograd::AccumulateGrad"
COTANGENT = doubles(10.0, 100.0)
X, Y = doubles(2.0, 3.0), doubles(5.0, 7.0)


def differentiate(
    sandbox: Sandbox, body: str, *args: Value, cotangent: Value = COTANGENT, arguments_back: bool = False
) -> CallResult:
    """Of a function of x, y and the like, whose body is given."""
    names = ", ".join("xyz"[: len(args)])
    source = f"import torch\ndef f({names}):\n    {body}\n"
    with sandbox.open(source, limits=Limits()) as session:
        session.load("f")
        return session.call(Call("f", args, cotangent=cotangent, arguments_back=arguments_back))


def test_a_product(torch_sandbox: Sandbox) -> None:
    """By hand: the loss is 10·x₀·y₀ + 100·x₁·y₁."""
    result = differentiate(torch_sandbox, "return x * y", X, Y)
    assert result.value == doubles(10.0, 21.0)
    assert result.gradients == (doubles(50.0, 700.0), doubles(20.0, 300.0))
    assert result.graph == ("MulBackward0", ACCUMULATE)


def test_softmax(torch_sandbox: Sandbox) -> None:
    """By hand, of two equal scores: half of what each gradient lies above their mean, 5."""
    result = differentiate(torch_sandbox, "return x.softmax(-1)", doubles(1.0, 1.0), cotangent=doubles(10.0, 0.0))
    assert result.gradients == (doubles(2.5, -2.5),)
    assert result.graph == ("SoftmaxBackward0", ACCUMULATE)


def test_each_tensor_that_was_sent_has_an_entry(torch_sandbox: Sandbox) -> None:
    """The one that the result does not depend on, and the one that cannot have a gradient, have none."""
    source = "def f(x, number, unused, array, mask, *, named):\n    return x * 2 * named * float(array[0])\n"
    mask = tensor("bool", "B", 1, 0)
    args = (X, Value(Kind.INT, text="1"), Y, floats(3.0), mask)
    with torch_sandbox.open(source, limits=Limits()) as session:
        session.load("f")
        result = session.call(Call("f", args, {"named": doubles(1.0, 1.0)}, cotangent=COTANGENT))
        assert result.gradients == (doubles(60.0, 600.0), NONE, NONE), result.error
        ordinary = session.call(Call("f", args, {"named": doubles(1.0, 1.0)}))
    assert (ordinary.value, ordinary.gradients, ordinary.graph) == (result.value, (), ())


@pytest.mark.parametrize(
    "body",
    [
        "return x.detach() * y.detach()",
        "return torch.tensor((x * y).tolist())",
        "torch.set_grad_enabled(False); return x * y",
    ],
)
def test_a_result_without_a_graph_has_no_gradients(torch_sandbox: Sandbox, body: str) -> None:
    result = differentiate(torch_sandbox, body, X, Y)
    assert (result.outcome, result.gradients, result.graph) == (Outcome.RETURNED, (NONE, NONE), ())


@pytest.mark.parametrize(
    "body", ["return (x * y).sum()", "return x * y, x", "return (x * y).detach().numpy()", "return x.reshape(1, 2)"]
)
def test_of_a_result_of_another_shape_or_kind_there_are_none(torch_sandbox: Sandbox, body: str) -> None:
    result = differentiate(torch_sandbox, body, X, Y)
    assert result.value is not None
    assert (result.outcome, result.gradients, result.graph) == (Outcome.RETURNED, (), ())


@pytest.mark.parametrize("body", ["x.requires_grad_(False); return x * y", "x.detach_(); return x * y"])
def test_an_argument_that_no_longer_requires_one_has_none(torch_sandbox: Sandbox, body: str) -> None:
    assert differentiate(torch_sandbox, body, X, Y).gradients == (NONE, doubles(20.0, 300.0))


def test_precisions_may_differ(torch_sandbox: Sandbox) -> None:
    halves = (tensor("float16", "e", 2.0, 3.0), tensor("bfloat16", "H", 0x40A0, 0x40E0))  # 5 and 7
    result = differentiate(torch_sandbox, "return x.double() * y.double()", *halves)
    assert result.gradients == (
        tensor("float16", "e", 50.0, 700.0),
        tensor("bfloat16", "H", 0x41A0, 0x4396),  # 20 and 300
    )
    result = differentiate(torch_sandbox, "return (x * y).float()", X, Y)
    assert result.gradients == (doubles(50.0, 700.0), doubles(20.0, 300.0))


def test_on_meta_there_are_shapes_only(torch_sandbox: Sandbox) -> None:
    meta = Value(Kind.TENSOR, "float32", (2,), text="meta")
    result = differentiate(torch_sandbox, "return x * y", meta, meta)
    assert (result.value, result.gradients) == (meta, (meta, meta))


def test_arguments_and_gradients_come_back_together(torch_sandbox: Sandbox) -> None:
    result = differentiate(torch_sandbox, "return x * y", X, Y, arguments_back=True)
    assert result.arguments == (X, Y)
    assert result.gradients == (doubles(50.0, 700.0), doubles(20.0, 300.0))


def test_a_fused_call_shows_in_the_graph(torch_sandbox: Sandbox) -> None:
    """By whatever name it was reached: there is no attention written out behind this result."""
    x = doubles(*range(6), shape=(1, 1, 3, 2))
    body = "name = 'scaled_dot_' + 'product_attention'; return getattr(torch.nn.functional, name)(x, x, x)"
    result = differentiate(torch_sandbox, body, x, cotangent=x)
    assert any("ScaledDotProduct" in name for name in result.graph), result.graph
    assert not any("Softmax" in name for name in result.graph)


def test_a_large_graph_is_told_in_part(torch_sandbox: Sandbox) -> None:
    body = """
    for number in range(300):
        class Step(torch.autograd.Function):
            forward = staticmethod(lambda ctx, x: x * 1)
            backward = staticmethod(lambda ctx, gradient: gradient)
        Step.__name__ = f"Step{number}" + "x" * 200
        x = type(Step.__name__, (Step,), {}).apply(x)
    return x"""
    result = differentiate(torch_sandbox, body, X)
    assert result.gradients == (COTANGENT,), result.error
    assert len(result.graph) == 200
    assert result.graph[0] == "Step299" + "x" * 93


def test_a_long_graph_is_walked(torch_sandbox: Sandbox) -> None:
    result = differentiate(torch_sandbox, "\n    for _ in range(20_000): x = x + 1\n    return x.exp()", X)
    assert result.outcome is Outcome.RETURNED, result.error
    assert result.graph == ("ExpBackward0", "AddBackward0", ACCUMULATE)


def test_an_error_on_the_way_back_is_the_learners(torch_sandbox: Sandbox) -> None:
    body = """
    class Broken(torch.autograd.Function):
        forward = staticmethod(lambda ctx, x: x * 2)
        @staticmethod
        def backward(ctx, gradient):
            raise ValueError("not written yet")
    return Broken.apply(x)"""
    result = differentiate(torch_sandbox, body, X)
    assert result.outcome is Outcome.RAISED
    assert result.error is not None
    assert (result.error.type, result.error.message, result.error.line) == ("ValueError", "not written yet", 8)


def test_gradients_count_towards_the_reply(torch_sandbox: Sandbox) -> None:
    source = "def f(x, y):\n    return x * y\n"
    for most, outcome in ((48, Outcome.RETURNED), (47, Outcome.TOO_LARGE)):
        with torch_sandbox.open(source, limits=Limits()) as session:
            session.load("f")
            call = Call("f", (X, Y), cotangent=COTANGENT, reply_bytes=most)
            assert session.call(call).outcome is outcome


def test_a_cotangent_is_a_tensor(torch_sandbox: Sandbox) -> None:
    with torch_sandbox.open("def f(x):\n    return x\n", limits=Limits()) as session:
        session.load("f")
        with pytest.raises(ValueError, match="expected a tensor as cotangent, got a value of kind 'array'"):
            session.call(Call("f", (X,), cotangent=floats(1.0, 2.0)))


def test_the_first_gradient_of_a_session_takes_no_import(torch_sandbox: Sandbox) -> None:
    """PyTorch imports for it, for longer than a whole session may take: the jail has done so before."""
    call = Call("f", (X,), cotangent=COTANGENT)
    taken = []
    for _ in range(3):
        with torch_sandbox.open("def f(x):\n    return x.softmax(-1)\n", limits=Limits()) as session:
            session.load("f")
            taken.append(session.call(call).wall_ms)
    assert min(taken) < 100
