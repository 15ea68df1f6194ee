import numpy as np


def causal_attention(Q, K, V):
    out = np.zeros_like(V)
    W = np.zeros((len(K), len(K)))
    for t, k in enumerate(K):
        past = K[: t + 1]
        s = past.dot(k) / np.sqrt(k.size)
        W[t, : t + 1] = np.exp(s - s.max()) / np.sum(np.exp(s - s.max()))
        out[t] = W[t, : t + 1].dot(V[: t + 1])
    return out, W
