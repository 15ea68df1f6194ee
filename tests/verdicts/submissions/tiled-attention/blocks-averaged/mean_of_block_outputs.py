import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros((len(Q), V.shape[1]))
    for t in range(len(Q)):
        n = t + 1 if causal else len(K)
        parts = []
        for a in range(0, n, block_size):
            b = min(a + block_size, n)
            w = softmax((K[a:b] @ Q[t] / np.sqrt(Q.shape[1]))[None])
            parts.append(w[0] @ V[a:b])
        out[t] = np.mean(parts, axis=0)
    return out
