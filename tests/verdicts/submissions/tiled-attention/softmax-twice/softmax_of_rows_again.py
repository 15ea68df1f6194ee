import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(len(K)) <= np.arange(i, i + len(s))[:, None], s, -np.inf)
        out[i : i + block_size] = softmax(softmax(s)) @ V
    return out
