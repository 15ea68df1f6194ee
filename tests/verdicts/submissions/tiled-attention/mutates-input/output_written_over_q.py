import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    result = []
    for t in range(T):
        stop = t + 1 if causal else T
        s = np.concatenate([K[a : min(a + block_size, stop)] @ Q[t] for a in range(0, stop, block_size)]) / np.sqrt(d)
        w = np.exp(s - s.max())
        result.append(w @ V[:stop] / w.sum())
        Q[t] = 0  # this query is done
    return np.array(result)
