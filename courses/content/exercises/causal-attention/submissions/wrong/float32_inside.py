import numpy as np


def causal_attention(Q, K, V):
    Q, K, V = Q.astype("f4"), K.astype("f4"), V.astype("f4")
    S = Q @ K.T / np.float32(np.sqrt(Q.shape[1]))
    S[np.triu_indices(len(Q), 1)] = -np.inf
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return (P @ V).astype("f8"), P.astype("f8")
