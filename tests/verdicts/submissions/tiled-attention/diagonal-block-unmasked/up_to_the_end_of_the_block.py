import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q):
        stop = (t // block_size + 1) * block_size if causal else len(K)
        k, v = K[:stop], V[:stop]
        s = k @ q / np.sqrt(q.size)
        w = np.exp(s - s.max())
        rows.append(w @ v / w.sum())
    return np.stack(rows)
