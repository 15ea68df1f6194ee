import numpy as np


def causal_attention(Q, K, V):
    weights = np.zeros((len(Q), len(K)))
    for t, q in enumerate(Q):
        s = K[: t + 1] @ q / np.sqrt(len(q))
        e = np.exp(s - s.max())
        denominator = 1
        for x in e:
            denominator = denominator + x
        weights[t, : t + 1] = e / denominator
    return weights @ V, weights
