"""What right code may differ by in float32, float16 and bfloat16.

Right code computes the same thing in other orders: Q scaled before the product or the scores after it, softmax in the
precision of the inputs or in float32, divided by a sum or less its logarithm, all keys at once or a block at a time.
Each order rounds elsewhere, and the error grows with the scores, so no fixed tolerance fits. What is allowed here has a
form and a size. The form is, number by number, what comes out when every step is off by one rounding (`_Errors`). The
size is, row by row, a multiple of what the plain computation written out in that precision (`written_out`) differs by
from float64, and at least two of the form, for rows in which the plain computation was lucky. So an answer better than
the plain one's is never refused.

Numbers of a precision are held in float32, which has all those of the other two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.arguments import FloatArray, as_array
from attention_core.gradients import attention_gradients
from attention_core.masks import Alignment, causal_mask
from attention_core.scaled_dot_product import attention_scores, scaled_dot_product_attention

Precision = Literal["float32", "float16", "bfloat16"]
Float32Array = NDArray[np.float32]

PRECISIONS: Final[tuple[Precision, ...]] = ("float32", "float16", "bfloat16")
ROUNDING: Final[dict[Precision, float]] = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}  # relative
SMALLEST: Final[dict[Precision, float]] = {"float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}  # above 0
FORWARD: Final = 2.0  # times the plain computation's error: of the output
BACKWARD: Final = 8.0  # of the gradients, which go through more steps
AT_LEAST: Final = 2.0  # times the form


def round_to(array: ArrayLike, precision: Precision) -> Float32Array:
    """The nearest numbers of a precision, of two equally near ones the even; by way of float32, as PyTorch does.

    NaN and infinities stay; what lies beyond the largest number becomes infinite (above 65,504 in float16).

    Args:
        array: real numbers, any shape.
        precision: one of PRECISIONS.

    Returns:
        The same shape, float32.

    Raises:
        TypeError: the array holds something other than real numbers.
        ValueError: it is empty, or the precision is none of PRECISIONS.

    Source: IEEE 754, 2019, section 4.3.1 (roundTiesToEven).
    """
    _require_known(precision)
    with np.errstate(over="ignore", invalid="ignore"):  # some of the bit patterns of NaN count as invalid
        numbers = as_array("array", array).astype(np.float32)
        if precision == "float16":
            return numbers.astype(np.float16).astype(np.float32)
    if precision == "float32":
        return numbers
    # bfloat16 is the upper half of float32: add just under half of its last place, and the rest to halves that are odd.
    bits = numbers.view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return np.where(np.isfinite(numbers), rounded.astype(np.uint32).view(np.float32), numbers)


def encode(array: ArrayLike, precision: Precision) -> bytes:
    """The numbers of an array, rounded to a precision, in C order and little-endian: four bytes each, or two.

    Arguments and errors as of round_to.
    """
    numbers = round_to(array, precision)
    if precision == "bfloat16":
        return (numbers.view(np.uint32) >> 16).astype("<u2").tobytes()
    return numbers.astype("<f4" if precision == "float32" else "<f2").tobytes()


def decode_bfloat16(data: bytes | NDArray[np.uint16]) -> Float32Array:
    """The numbers that bfloat16's bits stand for.

    Args:
        data: two bytes a number, little-endian; or an array of uint16.

    Returns:
        float32: (n,) of 2n bytes, or of the array's shape.

    Raises:
        TypeError: an array of another dtype.
        ValueError: an odd number of bytes.
    """
    if isinstance(data, np.ndarray):
        if data.dtype != np.uint16:
            raise TypeError(f"data must be bytes or an array of uint16, got dtype {data.dtype}")
        halves = data
    else:
        if len(data) % 2:
            raise ValueError(f"data must have two bytes a number, got {len(data)} bytes")
        halves = np.frombuffer(data, "<u2")
    return (halves.astype(np.uint32) << 16).view(np.float32)


def written_out(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, causal: Alignment | None, precision: Precision
) -> Float32Array:
    """Attention in a precision, one step after another, each result rounded; products are summed in float32.

    That is what PyTorch does on a CPU with softmax(Q Kᵀ / √d) V written out in tensors of that dtype.

    Args:
        Q: (..., Tq, d), rounded to the precision first, as are K and V.
        K: (..., Tk, d).
        V: (..., Tk, dv).
        causal: None, "top-left" or "bottom-right".
        precision: one of PRECISIONS.

    Returns:
        O (..., Tq, dv), float32; zeros for a query that sees no key, NaN where a score is beyond the precision's range.

    Raises:
        TypeError, ValueError: as scaled_dot_product_attention and round_to.
    """
    queries, keys, values = (round_to(each, precision) for each in (Q, K, V))
    weights = _rounded_weights(queries, keys, causal, precision)
    with np.errstate(all="ignore"):
        return round_to(weights @ values, precision)


def written_out_gradients(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, cotangent: ArrayLike, causal: Alignment | None, precision: Precision
) -> tuple[Float32Array, Float32Array, Float32Array]:
    """The gradients of attention_gradients in a precision, one step after another, each result rounded.

    Args:
        Q, K, V, causal, precision: as of written_out.
        cotangent: G (..., Tq, dv), rounded to the precision first.

    Returns:
        dQ, dK and dV, float32, each of the shape of its array.

    Raises:
        TypeError, ValueError: as attention_gradients and round_to.
    """
    queries, keys, values, weighing = (round_to(each, precision) for each in (Q, K, V, cotangent))
    weights = _rounded_weights(queries, keys, causal, precision)

    def rounded(array: Any) -> Float32Array:
        return round_to(array, precision)

    with np.errstate(all="ignore"):
        by_weights = rounded(weighing @ _turned(values))
        mean = rounded(rounded(weights * by_weights).sum(axis=-1, keepdims=True))
        by_scores = rounded(weights * rounded(by_weights - mean))
        by_products = rounded(by_scores / np.float32(math.sqrt(queries.shape[-1])))
        return (
            rounded(by_products @ keys),
            rounded(_turned(by_products) @ queries),
            rounded(_turned(weights) @ weighing),
        )


def allowance(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, causal: bool, alignment: Alignment, precision: Precision
) -> FloatArray:
    """How far from float64's output right code in a precision may be, number by number.

    Args:
        Q, K, V, precision: as of written_out.
        causal: whether later keys are hidden.
        alignment: "top-left" or "bottom-right"; only looked at when causal.

    Returns:
        (..., Tq, dv) as the output, float64, above 0. Infinite in rows where the plain computation gives no number,
        because a score is beyond the precision's range: nothing can be asked there. On the way some arrays of
        (..., Tq, Tk) are held.

    Raises:
        TypeError, ValueError: as of written_out.

    Sources: Heed's own rule, this module's docstring and attention_core/README.md; twice the plain computation's error
        is what FlashAttention's own tests allow an output.
    """
    corner = alignment if causal else None
    errors = _Errors.of(Q, K, V, corner, precision)
    plain = written_out(Q, K, V, corner, precision)
    return _allowed(plain, errors.output, errors.of_output(), FORWARD)


def gradient_allowance(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    cotangent: ArrayLike,
    causal: bool,
    alignment: Alignment,
    precision: Precision,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far from float64's gradients those of right code in a precision may be, number by number.

    Args:
        Q, K, V, causal, alignment, precision: as of allowance.
        cotangent: G (..., Tq, dv), as the output.

    Returns:
        For dQ (..., Tq, d), dK (..., Tk, d) and dV (..., Tk, dv); otherwise as of allowance.

    Raises:
        TypeError, ValueError: as attention_gradients and round_to.

    Source: Heed's own rule, as of allowance; attention_core/README.md.
    """
    corner = alignment if causal else None
    arrays = [round_to(each, precision) for each in (Q, K, V, cotangent)]
    plain = written_out_gradients(Q, K, V, cotangent, corner, precision)
    exact = attention_gradients(*arrays, causal=corner)
    forms = _Errors.of(Q, K, V, corner, precision).of_gradients(arrays[3].astype(np.float64))
    by_query, by_key, by_value = (_allowed(*each, BACKWARD) for each in zip(plain, exact, forms, strict=True))
    return by_query, by_key, by_value


def _allowed(plain: Float32Array, exact: FloatArray, form: FloatArray, multiple: float) -> FloatArray:
    size = np.max(np.abs(plain - exact) / form, axis=-1, keepdims=True)
    size[~np.isfinite(size)] = np.inf
    allowed: FloatArray = np.maximum(multiple * size, AT_LEAST) * form
    return allowed


def _rounded_weights(
    queries: Float32Array, keys: Float32Array, causal: Alignment | None, precision: Precision
) -> Float32Array:
    with np.errstate(all="ignore"):  # scores beyond the range become infinite, and what follows from them NaN
        scores = round_to(queries @ _turned(keys), precision)
        scores = round_to(scores / np.float32(math.sqrt(queries.shape[-1])), precision)
        if causal is not None:
            visible = causal_mask(scores.shape[-2], scores.shape[-1], causal)
            scores = np.where(visible, scores, np.float32(-np.inf))
        largest = scores.max(axis=-1, keepdims=True)
        largest[np.isneginf(largest)] = 0
        powers = round_to(np.exp(round_to(scores - largest, precision)), precision)
        total = round_to(powers.sum(axis=-1, keepdims=True), precision)
        total[total == 0] = 1
        return round_to(powers / total, precision)


@dataclass(frozen=True)
class _Errors:
    """One case in float64, and by how much its numbers are off when each step is off by one rounding.

    What is called an error here is counted in roundings: an absolute one when multiplied by the precision's ROUNDING.
    """

    precision: Precision
    queries: FloatArray  # (..., Tq, d)
    keys: FloatArray  # (..., Tk, d)
    values: FloatArray  # (..., Tk, dv)
    output: FloatArray  # (..., Tq, dv)
    weights: FloatArray  # (..., Tq, Tk)
    records: NDArray[np.bool_]  # (..., Tq, Tk): True at a score that may be the largest so far in its row
    of_exponentials: FloatArray  # (..., Tq, Tk): relative error of a score's exponential
    of_sums: FloatArray  # (..., Tq, 1): relative error of what a row is divided by

    @classmethod
    def of(cls, Q: ArrayLike, K: ArrayLike, V: ArrayLike, causal: Alignment | None, precision: Precision) -> _Errors:
        queries, keys, values = (round_to(each, precision).astype(np.float64) for each in (Q, K, V))
        output, weights = scaled_dot_product_attention(queries, keys, values, causal=causal)
        scores = attention_scores(queries, keys, causal=causal)
        visible = np.isfinite(scores)
        top = scores.max(axis=-1, keepdims=True)
        top[np.isneginf(top)] = 0
        scores = np.where(visible, scores, top)
        logarithms = top + np.log(np.maximum(np.sum(np.exp(scores - top), axis=-1, keepdims=True, where=visible), 1))
        # A product may be rounded, then scaled and rounded; its factors may be, each on its own, instead. Then the
        # maximum or the logarithm of the sum is subtracted, and the exponential rounded.
        width = queries.shape[-1]
        factors = np.sqrt(queries**2 @ _turned(keys**2) / width) * _summed(width, precision)
        of_scores = 1 + 2 * np.abs(scores) + (top - scores) + factors
        below_record = np.maximum.accumulate(scores, axis=-1) - scores
        return cls(
            precision=precision,
            queries=queries,
            keys=keys,
            values=values,
            output=output,
            weights=weights,
            records=visible & (below_record <= 2 * ROUNDING[precision] * of_scores),
            of_exponentials=_exponential(of_scores, precision),
            of_sums=_exponential(2 + np.abs(logarithms), precision),
        )

    def of_output(self) -> FloatArray:
        """What the output may be off by, absolute, (..., Tq, dv).

        A score's error moves the output by what its value differs from the output: by Cauchy and Schwarz at most the
        product of two means. Errors of the sum stretch the output; those of the weights and of Σ P V come on top.
        """
        spread = np.sqrt(np.maximum(self.weights @ self.values**2 - self.output**2, 0))
        mean_error = np.sqrt(np.sum(self.weights * self.of_exponentials**2, axis=-1, keepdims=True))
        blend = self.weights @ np.abs(self.values) * _summed(self.keys.shape[-2], self.precision)
        roundings = mean_error * spread + self.of_sums * np.abs(self.output) + blend
        return self._absolute(roundings, np.sum(np.abs(self.values), axis=-2, keepdims=True))

    def of_gradients(self, cotangent: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What dQ, dK and dV may be off by, absolute; cotangent G (..., Tq, dv). The steps are attention_gradients'."""
        weights, sizes = self.weights, np.abs(cotangent)
        mean_error = np.sum(weights * self.of_exponentials, axis=-1, keepdims=True)
        of_weights = self.of_exponentials + mean_error + self.of_sums  # relative
        by_weights = cotangent @ _turned(self.values)
        mean = np.sum(weights * by_weights, axis=-1, keepdims=True)
        by_scores = weights * np.abs(by_weights - mean)
        of_by_scores = self._of_by_scores(cotangent, of_weights, by_weights, mean)
        over_keys, over_queries = (_summed(each.shape[-2], self.precision) for each in (self.keys, self.queries))
        root = math.sqrt(self.queries.shape[-1])
        return (
            self._absolute((of_by_scores + over_keys * by_scores) @ np.abs(self.keys) / root),
            self._absolute(_turned(of_by_scores + over_queries * by_scores) @ np.abs(self.queries) / root),
            self._absolute(_turned(weights * (of_weights + over_queries)) @ sizes, sizes.sum(axis=-2, keepdims=True)),
        )

    def _of_by_scores(
        self, cotangent: FloatArray, of_weights: FloatArray, by_weights: FloatArray, mean: FloatArray
    ) -> FloatArray:
        """What dS may be off by, (..., Tq, Tk), whichever way it is reached.

        Other orders of the steps give dS as a difference of two products, or the mean as Σ G ∘ O, or divide G by the
        sum first. Where the largest score, or the largest so far, is subtracted and not detached, its own gradient, 0
        but for rounding, is added to that score's.
        """
        weights, distance = self.weights, np.abs(by_weights - mean)
        factors = np.sqrt(cotangent**2 @ _turned(self.values**2)) * _summed(self.values.shape[-1], self.precision)
        of_by_weights = np.abs(by_weights) + factors
        of_output = self.of_output() / ROUNDING[self.precision] + np.abs(self.output)
        of_mean = (
            np.sum(weights * (distance * of_weights + of_by_weights), axis=-1, keepdims=True)
            + (1 + self.of_sums) * np.abs(mean)
            + np.sum(np.abs(cotangent) * of_output, axis=-1, keepdims=True)
        )
        # Divided by the sum early, everything may come near 0: each product is then off by one of the smallest numbers.
        per_query, per_key = (np.sum(np.abs(each), axis=-1) for each in (by_weights, self.values))
        near_zero = 1 + self.keys.shape[-2] + per_query[..., None] + per_key[..., None, :]
        of_by_scores: FloatArray = (
            weights * (distance * (of_weights + 2) + of_by_weights + of_mean)
            + SMALLEST[self.precision] / ROUNDING[self.precision] * near_zero
        )
        of_by_scores += self.records * np.sum(of_by_scores, axis=-1, keepdims=True)
        return of_by_scores

    def _absolute(self, roundings: FloatArray, terms: Any = 0.0) -> FloatArray:
        """Near 0 a precision's numbers lie evenly: the result may be off by one step, each factor of `terms` too."""
        errors: FloatArray = ROUNDING[self.precision] * roundings + SMALLEST[self.precision] * (1 + terms)
        return errors


def _summed(terms: int, precision: Precision) -> float:
    """Roundings in a sum of so many products: in half precision it is kept in float32, and rounded once at its end."""
    return 1 + math.sqrt(terms) / 2 if precision == "float32" else 1.0


def _exponential(errors: FloatArray, precision: Precision) -> FloatArray:
    """Relative errors of exponentials of what has these absolute ones; where those are small, the same.

    Twice the error, because what is rounded up may be compared with what is rounded down; at most e^300, which is more
    than any weight can make up for, and does not overflow when squared.
    """
    doubled = 2 * ROUNDING[precision]
    grown: FloatArray = np.expm1(np.minimum(doubled * errors, 300)) / doubled
    return grown


def _turned(stack: Any) -> Any:
    return np.swapaxes(stack, -1, -2)


def _require_known(precision: str) -> None:
    if precision not in PRECISIONS:
        raise ValueError(f"precision must be one of {', '.join(PRECISIONS)}, got {precision!r}")
