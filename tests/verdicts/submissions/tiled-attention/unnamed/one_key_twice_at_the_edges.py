import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        index = [j for a in range(0, stop, block_size) for j in range(a, min(a + block_size + 1, stop))]
        s = K[index] @ q / np.sqrt(q.size)
        w = np.exp(s - s.max())
        rows.append(w @ V[index] / w.sum())
    return np.array(rows)
