from math import sqrt

import numpy as np


def causal_attention(Q, K, V):
    outputs, weights = [], []
    for t in range(len(Q)):
        s = [float(Q[t] @ k) / sqrt(Q.shape[1]) for k in K[: t + 1]]
        p = [2.0 ** (x - max(s)) for x in s]
        w = [x / sum(p) for x in p] + [0.0] * (len(Q) - t - 1)
        weights.append(w)
        outputs.append(np.dot(w, V))
    return np.array(outputs), np.array(weights)
