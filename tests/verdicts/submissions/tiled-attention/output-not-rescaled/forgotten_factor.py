import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    scale = Q.shape[1] ** -0.5
    m = np.full(T, -1e300)
    z = np.zeros(T)
    o = np.zeros_like(V)
    for j in range(0, T, block_size):
        keys = np.arange(j, min(j + block_size, T))
        s = scale * np.einsum("id,jd->ij", Q, K[keys])
        if causal:
            s = np.where(keys <= np.arange(T)[:, None], s, -np.inf)
        new = np.fmax(m, s.max(axis=1))
        p = np.exp(s - new[:, None])
        z = z * np.exp(m - new) + p.sum(axis=1)
        o = o + p @ V[keys]
        m = new
    return o / z[:, None]
