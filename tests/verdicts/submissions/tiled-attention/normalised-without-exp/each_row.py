import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    def row(t):
        stop = t + 1 if causal else len(K)
        total, blend = 0.0, 0.0
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ Q[t] / np.sqrt(Q.shape[1])
            total, blend = total + sum(s), blend + s @ V[a : a + len(s)]
        return blend / total

    return np.array([row(t) for t in range(len(Q))])
