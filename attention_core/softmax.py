"""Softmax: any scores become positive shares that sum to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray, as_array


def softmax(scores: ArrayLike) -> FloatArray:
    """Shares along the last axis.

    softmax(s)_j = exp(s_j) / Σ_k exp(s_k) = exp(s_j - m) / Σ_k exp(s_k - m),  m = max_k s_k

    The right-hand form never overflows, and its sum is at least 1. A score of -inf has a share
    of exactly 0; a row in which every score is -inf has nothing to share out and gives zeros.

    Args:
        scores: (..., Tk), any number of leading axes; finite or -inf.

    Returns:
        Shares of the same shape, float64. Every row sums to 1, or is all zeros.

    Raises:
        TypeError: the scores are something other than real numbers.
        ValueError: they are empty, a single number, or contain NaN or +inf.

    Source: Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 4.1 (stability);
        PyTorch's scaled_dot_product_attention and ONNX Attention (zeros for an empty row).
    """
    array = as_array("scores", scores)
    if array.ndim == 0:
        raise ValueError("scores must have shape (..., Tk), got a single number of shape ()")
    return shares_of(array)


def shares_of(scores: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """softmax of what is known to be a float64 array (..., Tk), written to `out`, which may be `scores` itself.

    Raises:
        ValueError: the scores contain NaN or +inf.
    """
    largest = np.max(scores, axis=-1, keepdims=True)
    if np.isnan(largest).any() or np.isposinf(largest).any():  # the maximum shows both
        raise ValueError("scores must be finite or -inf, got NaN or +inf")
    shares = np.subtract(scores, np.where(np.isneginf(largest), 0.0, largest), out=out)
    np.exp(shares, out=shares)
    total = np.sum(shares, axis=-1, keepdims=True)
    shares /= np.where(total == 0.0, 1.0, total)
    return shares
