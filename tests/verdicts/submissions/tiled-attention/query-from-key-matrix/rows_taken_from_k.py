import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(K), block_size):
        q = K[i : i + block_size] / np.sqrt(K.shape[1])
        s = np.einsum("id,jd->ij", q, K)
        if causal:
            s = np.where(np.arange(i, i + len(q))[:, None] >= np.arange(len(K)), s, -np.inf)
        w = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
        out[i : i + block_size] = np.einsum("ij,jv->iv", w, V)
    return out
