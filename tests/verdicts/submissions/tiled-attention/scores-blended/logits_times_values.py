# mistakes: scores-blended, no-softmax
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(len(K)) <= np.arange(i, i + len(s))[:, None], s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        assert p.shape == s.shape
        out[i : i + block_size] = s @ V
    return out
