import numpy as np


def causal_attention(Q, K, V):
    weights = np.zeros((len(Q), len(K)), dtype="float32")
    output = np.zeros_like(V)
    for t in range(len(Q)):
        s = K[: t + 1] @ Q[t] / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max())
        weights[t, : t + 1] = e / e.sum()
        output[t] = e @ V[: t + 1] / e.sum()
    return output, weights
