import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    out = np.zeros((T, T))
    for t in range(T):
        stop = t + 1 if causal else T
        for a in range(0, stop, block_size):
            b = min(a + block_size, stop)
            out[t, a:b] = K[a:b] @ Q[t] / np.sqrt(Q.shape[1])
        out[t, :stop] = np.exp(out[t, :stop] - np.logaddexp.reduce(out[t, :stop]))
    return out
