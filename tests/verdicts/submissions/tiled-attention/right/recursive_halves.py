import numpy as np


def halves(q, k, v, hidden, leaf):
    """Maximum, sum and blend of some queries, from those of two halves of the keys."""
    if len(k) <= leaf:
        s = np.where(hidden, -1e300, q @ k.T)
        m = s.max(axis=1, keepdims=True)
        p = np.where(hidden, 0.0, np.exp(s - m))
        return m, p.sum(axis=1, keepdims=True), p @ v
    middle = len(k) // 2
    m1, z1, o1 = halves(q, k[:middle], v[:middle], hidden[:, :middle], leaf)
    m2, z2, o2 = halves(q, k[middle:], v[middle:], hidden[:, middle:], leaf)
    m = np.maximum(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * z1 + b * z2, a * o1 + b * o2


def tiled_attention(Q, K, V, block_size, causal=False):
    at = np.arange(len(K))
    rows = []
    for i in range(0, len(Q), block_size):
        q = Q[i : i + block_size] / np.sqrt(Q.shape[1])
        hidden = (at > at[i : i + block_size, None]) & causal
        _, z, o = halves(q, K, V, hidden, block_size)
        rows.append(o / z)
    return np.vstack(rows)
