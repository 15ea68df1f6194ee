import numpy as np


def softmax(scores):
    """Shares along the last axis; the row's maximum is subtracted first, so exp never overflows."""
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)  # a row of nothing but -inf: avoid -inf - -inf
    shares = np.exp(scores - top)
    total = shares.sum(axis=-1, keepdims=True)
    return shares / np.where(total == 0.0, 1.0, total)
