import numpy as np
def part(q, K, V, lo, hi, bs, rows, causal):
    if hi - lo <= bs:
        s = q @ K[lo:hi].T / np.sqrt(q.shape[1])
        if causal: s = np.where(rows[:, None] >= np.arange(lo, hi), s, -np.inf)
        m = s.max(1, keepdims=True)
        m = np.where(np.isfinite(m), m, -1e300)
        e = np.exp(s - m)
        return m, e.sum(1, keepdims=True), e @ V[lo:hi]
    mid = lo + (hi - lo) // 2
    m1, l1, o1 = part(q, K, V, lo, mid, bs, rows, causal)
    m2, l2, o2 = part(q, K, V, mid, hi, bs, rows, causal)
    m = np.maximum(m1, m2)
    return m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m), o1 * np.exp(m1 - m) + o2 * np.exp(m2 - m)
def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(Q), block_size):
        rows = np.arange(i, min(len(Q), i + block_size))
        m, l, o = part(Q[rows], K, V, 0, len(K), block_size, rows, causal)
        out[rows] = o / l
    return out
