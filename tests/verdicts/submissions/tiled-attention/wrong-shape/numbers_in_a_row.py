import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    numbers = []
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        s = np.concatenate([K[a : min(a + block_size, stop)] @ q for a in range(0, stop, block_size)]) / q.size**0.5
        w = np.exp(s - s.max())
        numbers.extend(w @ V[:stop] / w.sum())
    return np.array(numbers)
