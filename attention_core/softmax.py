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
    if np.isnan(array).any() or np.isposinf(array).any():
        raise ValueError("scores must be finite or -inf, got NaN or +inf")
    largest = np.max(array, axis=-1, keepdims=True)
    powers = np.exp(array - np.where(np.isneginf(largest), 0.0, largest))
    total = np.sum(powers, axis=-1, keepdims=True)
    shares: FloatArray = powers / np.where(total == 0.0, 1.0, total)
    return shares
