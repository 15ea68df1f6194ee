import numpy as np


def attention(Q, K, V):
    scale = Q.shape[1] ** -0.5
    W = np.empty((len(Q), len(K)))
    O = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        m, z, acc = -np.inf, 0.0, np.zeros(V.shape[1])
        for k, v in zip(K, V):
            s = scale * (q @ k)
            if s > m:
                z *= np.exp(m - s)
                acc *= np.exp(m - s)
                m = s
            p = np.exp(s - m)
            z += p
            acc += p * v
        O[i] = acc / z
        W[i] = np.exp(scale * (K @ q) - m) / z
    return O, W
