import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = np.zeros(V.shape, dtype=np.float16)
    with np.errstate(all="ignore"):
        for t, q in enumerate(np.float16(Q)):
            stop = t + 1 if causal else len(K)
            k, v = np.float16(K[:stop]), np.float16(V[:stop])
            s = np.concatenate([k[a : a + block_size] @ q for a in range(0, stop, block_size)]) / np.float16(q.size**0.5)
            w = np.exp(s - s.max())
            rows[t] = (w / w.sum()) @ v
    return np.float64(rows)
