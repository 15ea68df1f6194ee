"""Values across the border: what goes in comes back the same, and what is no plain value is called by its name."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import floats, run, text

SAME = "def same(x):\n    return x\n"

VALUES = {
    "floats": floats(1.0, -0.0, float("inf"), shape=(3, 1)),
    "single precision": Value(Kind.ARRAY, "<f4", (2,), struct.pack("<2f", 1.5, 2.5)),
    "half precision": Value(Kind.ARRAY, "<f2", (1, 2), struct.pack("<2e", 1.5, 2.5)),
    "complex": Value(Kind.ARRAY, "<c16", (1,), struct.pack("<2d", 1.0, 2.0)),
    "integers": Value(Kind.ARRAY, "<i8", (2,), struct.pack("<2q", -1, 2**62)),
    "bytes": Value(Kind.ARRAY, "|u1", (2,), b"\xff\x00"),
    "booleans": Value(Kind.ARRAY, "|b1", (2,), b"\x01\x00"),
    "no axes": Value(Kind.ARRAY, "<f8", (), struct.pack("<d", 2.0)),
    "empty": Value(Kind.ARRAY, "<f8", (0, 5), b""),
    "scalar": Value(Kind.SCALAR, "<f8", (), struct.pack("<d", 2.0)),
    "whole number": Value(Kind.INT, text="-123456789012345678901234567890"),
    "float": Value(Kind.FLOAT, text=(0.1).hex()),
    "not a number": Value(Kind.FLOAT, text="nan"),
    "true": Value(Kind.BOOL, text="True"),
    "false": Value(Kind.BOOL, text="False"),
    "none": Value(Kind.NONE),
    "text": text('√d "quoted"\n'),
    "sequence": Value(Kind.SEQUENCE, items=(floats(1.0), Value(Kind.NONE), Value(Kind.SEQUENCE, items=(floats(2.0),)))),
}


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_value_comes_back_as_it_went_in(sandbox: Sandbox, name: str) -> None:
    result = run(sandbox, SAME, "same", VALUES[name])
    assert result.outcome is Outcome.RETURNED
    assert result.value == VALUES[name]


def test_arguments_are_fresh_ordinary_arrays(sandbox: Sandbox) -> None:
    source = """
import numpy as np
def look(x, *, named):
    flags = x.flags
    assert type(x) is np.ndarray and type(named) is int
    return flags.writeable, flags.owndata, flags.c_contiguous, flags.aligned, x.base is None, named == 3
"""
    with sandbox.open(source, limits=Limits()) as session:
        session.load("look")
        result = session.call(Call("look", (floats(1.0, 2.0, shape=(2, 1)),), {"named": Value(Kind.INT, text="3")}))
    assert result.value == Value(Kind.SEQUENCE, items=(Value(Kind.BOOL, text="True"),) * 6)


EXPRESSIONS = {
    "np.matrix([[1.0]])": (Kind.OTHER, "numpy.matrix"),
    "np.ma.array([1.0])": (Kind.OTHER, "numpy.ma.MaskedArray"),
    "np.array([None])": (Kind.OTHER, "numpy.ndarray of dtype object"),
    "np.array(['a'])": (Kind.OTHER, "numpy.ndarray of dtype <U1"),
    "np.zeros(2, dtype=[('a', float)])": (Kind.OTHER, "numpy.ndarray of dtype [('a', '<f8')]"),
    "np.str_('a')": (Kind.OTHER, "numpy.str_ of dtype <U1"),
    "Mine()": (Kind.OTHER, "Mine"),
    "Mine": (Kind.OTHER, "type"),
    "{1: 2}": (Kind.OTHER, "dict"),
    "b'bytes'": (Kind.OTHER, "bytes"),
    "(n for n in [1])": (Kind.OTHER, "generator"),
    "[0] * 9": (Kind.OTHER, "list of 9 items"),
    "Whole(3)": (Kind.OTHER, "Whole"),
    "10 ** 5000": (Kind.OTHER, "int of over 990 digits"),
    "1 + 2j": (Kind.OTHER, "complex"),
    "'x' * 2000": (Kind.TEXT, "x" * 1000),
    "10 ** 900": (Kind.INT, str(10**900)),
    "float('inf')": (Kind.FLOAT, "inf"),
}


@pytest.mark.parametrize("expression", sorted(EXPRESSIONS))
def test_what_is_no_plain_value_is_called_by_its_name(sandbox: Sandbox, expression: str) -> None:
    source = f"""
import numpy as np
class Mine: ...
class Whole(int): ...
def make():
    return {expression}
"""
    result = run(sandbox, source, "make")
    assert result.value is not None
    assert (result.value.kind, result.value.text) == EXPRESSIONS[expression]


def test_sequences_are_of_limited_depth(sandbox: Sandbox) -> None:
    result = run(sandbox, "def make():\n    return [(1, [range(2)])]\n", "make")
    inner = Value(Kind.SEQUENCE, items=(Value(Kind.INT, text="1"), Value(Kind.OTHER, text="list of 1 items")))
    assert result.value == Value(Kind.SEQUENCE, items=(inner,))


@pytest.mark.parametrize(
    "expression", ["np.arange(6.0).reshape(2, 3).T", "np.arange(6.0, dtype='>f8').reshape(3, 2)[::-1]"]
)
def test_any_layout_comes_back_in_c_order_and_little_endian(sandbox: Sandbox, expression: str) -> None:
    result = run(sandbox, f"import numpy as np\ndef make():\n    return {expression}\n", "make")
    assert result.value is not None
    expected = eval(expression, {"np": np})  # noqa: S307 the literals above
    assert (result.value.dtype, result.value.shape) == ("<f8", (3, 2))
    np.testing.assert_array_equal(np.frombuffer(result.value.data, "<f8").reshape(3, 2), expected)


def test_arguments_come_back_as_they_are_after_the_call(sandbox: Sandbox) -> None:
    source = "def spoil(x, y):\n    x[0] = 9.0\n    y.shape = (1, 2)\n    return None\n"
    result = run(sandbox, source, "spoil", floats(1.0, 2.0), floats(3.0, 4.0), arguments_back=True)
    assert result.arguments == (floats(9.0, 2.0), floats(3.0, 4.0, shape=(1, 2)))


def test_a_result_beyond_the_reply_is_not_read(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef make(n):\n    return np.zeros(n), np.zeros(n)\n"
    fits, large = (Value(Kind.INT, text=str(number)) for number in (5, 6))
    assert run(sandbox, source, "make", fits, reply_bytes=80).outcome is Outcome.RETURNED
    assert run(sandbox, source, "make", large, reply_bytes=80).outcome is Outcome.TOO_LARGE


@pytest.mark.parametrize(
    "value",
    [Value(Kind.OTHER, text="dict"), Value(Kind.ARRAY, "|O", (1,), bytes(8)), Value(Kind.ARRAY, "<f8", (2,), bytes(8))],
)
def test_a_value_that_cannot_be_sent_is_an_error_of_the_caller(sandbox: Sandbox, value: Value) -> None:
    with sandbox.open(SAME, limits=Limits()) as session:
        session.load("same")
        with pytest.raises(ValueError, match=r"cannot be sent|expected a little-endian dtype|is 16 bytes, got 8"):
            session.call(Call("same", (value,)))
        assert session.call(Call("same", (floats(1.0),))).value == floats(1.0)
