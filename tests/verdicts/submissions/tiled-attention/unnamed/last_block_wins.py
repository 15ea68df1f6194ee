import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ q / np.sqrt(q.size)
            w = np.exp(s - s.max())
            out[t] = w @ V[a : a + w.size] / w.sum()
    return out
