"""Values from a session's border: every kind goes there and back, and nothing contradictory gets through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.checks.values import Foreign, GarbledValueError, decode, encode
from grader.wire import Kind, Value


@pytest.mark.parametrize(
    "value",
    [0, -7, 10**40, 2.5, -0.0, float("inf"), True, False, None, "text", (1, (2.5, None)), np.float64(3.5), np.int64(7)],
    ids=repr,
)
def test_there_and_back(value: Any) -> None:
    back = decode(encode(value))
    assert back == value
    assert type(back) is type(value)


def test_nan_comes_back_as_nan() -> None:
    assert np.isnan(decode(encode(float("nan"))))


@pytest.mark.parametrize(
    "array",
    [
        np.arange(35.0).reshape(5, 7),
        np.arange(35.0).reshape(5, 7).T,
        np.arange(35.0).reshape(5, 7)[::2, ::3],
        np.arange(6, dtype=">f4"),
        np.array(3.5),
        np.zeros((0, 3)),
        np.array([True, False]),
        np.array([1 + 2j]),
        np.array([np.nan, np.inf, -np.inf]),
    ],
    ids=["matrix", "transposed", "strided", "big-endian", "no axes", "empty", "bool", "complex", "not finite"],
)
def test_arrays_keep_shape_numbers_and_dtype(array: np.ndarray) -> None:
    back = decode(encode(array))
    assert back.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(back, array)
    assert back.shape == array.shape


def test_what_comes_back_is_an_array_of_its_own() -> None:
    value = encode(np.arange(3.0))
    first, second = decode(value), decode(value)
    first[0] = 99
    assert second[0] == 0
    assert value == encode(np.arange(3.0))


@pytest.mark.parametrize("value", [object(), {1: 2}, {3}, b"bytes", 1j])
def test_only_arguments_that_have_a_kind_can_be_sent(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot send"):
        encode(value)


@pytest.mark.parametrize(
    "value",
    [
        Value(Kind.ARRAY, dtype="<f8", shape=(3,), data=bytes(16)),
        Value(Kind.ARRAY, dtype="<f8", shape=(2**62, 2**62), data=bytes(8)),
        Value(Kind.ARRAY, dtype="<f8", shape=(0, 2**62), data=b""),
        Value(Kind.ARRAY, dtype="<f8", shape=(-1, -2), data=bytes(16)),
        Value(Kind.ARRAY, dtype="<f8", shape=(1,) * 65, data=bytes(8)),
        Value(Kind.ARRAY, dtype="<f3", shape=(1,), data=bytes(3)),
        Value(Kind.ARRAY, dtype="<i0", shape=(), data=b""),
        Value(Kind.SCALAR, dtype="<f8", data=bytes(4)),
        Value(Kind.INT, text="seven"),
        Value(Kind.INT, text="9" * 10_000),
        Value(Kind.FLOAT, text="0x1p99999"),
    ],
    ids=lambda value: f"{value.kind} {value.dtype} {value.shape} {value.text[:10]}",
)
def test_a_value_that_contradicts_itself_is_garbled(value: Value) -> None:
    with pytest.raises(GarbledValueError):
        decode(value)


@pytest.mark.parametrize("shape", [(0, 10**9, 10**9, 2), (10**9, 0, 2**31)])
def test_an_empty_array_that_numpy_has_in_no_other_dtype_is_no_array(shape: tuple[int, ...]) -> None:
    """Nobody's numbers are in it, and whatever is computed with it would raise."""
    found = decode(Value(Kind.ARRAY, dtype="|i1", shape=shape, data=b""))
    assert found == Foreign("numpy.ndarray")
    for device in ("cpu", "meta"):
        assert decode(Value(Kind.TENSOR, dtype="float16", shape=shape, text=device)) == Foreign("torch.Tensor")


@pytest.mark.parametrize("dtype", ["|O", "<U5", "|S3", "|V16", "<M8[ns]", "f8,(999999999,)f8", "<f8x", "", "O8"])
def test_arrays_of_anything_but_numbers_are_never_read(dtype: str) -> None:
    assert decode(Value(Kind.ARRAY, dtype=dtype, shape=(1,), data=bytes(8))) == Foreign(f"array of dtype {dtype}")


def test_other_values_are_names() -> None:
    assert decode(Value(Kind.OTHER, text="numpy.matrix")) == Foreign("numpy.matrix")


@pytest.mark.parametrize("shape", [(10**9, 10**9), (1_000_001,), (1001, 1000)])
def test_nothing_is_counted_of_a_tensor_without_numbers_that_is_too_large(shape: tuple[int, ...]) -> None:
    assert decode(Value(Kind.TENSOR, "float64", shape, text="meta")) == Foreign("torch.Tensor")


def test_a_small_tensor_without_numbers_has_a_shape() -> None:
    assert decode(Value(Kind.TENSOR, "float64", (1000, 1000), text="meta")).array.shape == (1000, 1000)
