import numpy as np


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    T = len(S)
    W = np.zeros((T, T))
    with np.errstate(over="ignore"):
        for t in range(T):
            s = S[t, : t + 1]
            W[t, : t + 1] = 1 / np.exp(s[None, :] - s[:, None]).sum(axis=1)
    return W @ V, W
