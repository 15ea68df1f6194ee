import numpy as np


def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    z = scores - np.where(np.isinf(m), 0.0, m)
    zeros = np.zeros((*z.shape[:-1], 1))
    with_sink = np.exp(np.concatenate([zeros, z], axis=-1))
    return (with_sink / with_sink.sum(axis=-1, keepdims=True))[..., 1:]
