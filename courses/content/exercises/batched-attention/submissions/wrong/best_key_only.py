import math

import numpy as np


def one(q, k, v, hide):
    s = q @ k.T / math.sqrt(q.shape[1])
    if hide:
        for i in range(len(q)):
            s[i, len(k) - len(q) + i + 1 :] = -np.inf
    p = np.eye(len(k))[np.argmax(s, axis=1)]
    return p @ v


def attention(Q, K, V, causal=False):
    out = np.empty(Q.shape[:-1] + V.shape[-1:])
    for place in np.ndindex(Q.shape[:-2]):
        out[place] = one(Q[place], K[place], V[place], causal)
    return out
