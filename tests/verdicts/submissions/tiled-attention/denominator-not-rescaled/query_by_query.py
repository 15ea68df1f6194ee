import numpy as np


from math import exp, sqrt


def tiled_attention(Q, K, V, block_size, causal=False):
    result = np.zeros((len(Q), V.shape[1]))
    for t, q in enumerate(Q):
        m, z, o = float("-inf"), 0.0, np.zeros(V.shape[1])
        stop = t + 1 if causal else len(K)
        for start in range(0, stop, block_size):
            scores = [float(q @ k) / sqrt(len(q)) for k in K[start : min(start + block_size, stop)]]
            new = max([m, *scores])
            o *= exp(m - new)
            for s, v in zip(scores, V[start:]):
                z += exp(s - new)
                o += exp(s - new) * v
            m = new
        result[t] = o / z
    return result
