import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.zeros((T, V.shape[1]))
    for i in range(0, T, block_size):
        q = Q[i:i + block_size]
        m = np.full((len(q), 1), -np.inf)
        l = np.zeros((len(q), 1))
        acc = np.zeros((len(q), V.shape[1]))
        for j in range(0, T, block_size):
            if causal and j > i:
                break
            k, v = K[j:j + block_size], V[j:j + block_size]
            s = q @ k.T / np.sqrt(d)
            if causal:
                future = j + np.arange(len(k)) > i + np.arange(len(q))[:, None]
                s = np.where(future, -np.inf, s)
            m_new = np.maximum(m, s.max(axis=1, keepdims=True))
            p = np.exp(s - m_new)
            c = np.exp(m - m_new)
            l = l + p.sum(axis=1, keepdims=True)
            acc = acc + p @ v
            m = m_new
        out[i:i + block_size] = acc / l
    return out
