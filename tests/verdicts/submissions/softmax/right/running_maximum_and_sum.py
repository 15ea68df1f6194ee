import numpy as np


def softmax(scores):
    """One score after another, as a streaming softmax does."""
    m = np.full(scores.shape[:-1], -np.inf)
    z = np.zeros(scores.shape[:-1])
    for j in range(scores.shape[-1]):
        s = scores[..., j]
        new = np.maximum(m, s)
        shift = np.where(np.isneginf(new), 0.0, new)
        z = z * np.exp(np.where(np.isneginf(m), -np.inf, m - shift)) + np.exp(s - shift)
        m = new
    shift = np.where(np.isneginf(m), 0.0, m)
    return np.exp(scores - shift[..., None]) / np.where(z == 0, 1.0, z)[..., None]
