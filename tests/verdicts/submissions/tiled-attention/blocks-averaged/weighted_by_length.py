import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    result = np.empty(V.shape)
    for i in range(0, T, block_size):
        q = Q[i : i + block_size]
        total, count = 0.0, 0
        for j in range(0, T, block_size):
            if causal and j > i:
                continue
            k, v = K[j : j + block_size], V[j : j + block_size]
            s = np.einsum("id,jd->ij", q, k) / np.sqrt(d)
            if causal and i == j:
                s[np.triu_indices_from(s, 1)] = -np.inf
            w = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
            total = total + len(k) * (w @ v)
            count += len(k)
        result[i : i + len(q)] = total / count
    return result
