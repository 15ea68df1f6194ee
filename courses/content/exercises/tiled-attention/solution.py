import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    """Attention by an online softmax: a maximum m, a sum l and an output o for each row, corrected from tile to tile."""
    T, d = Q.shape
    output = np.empty((T, V.shape[1]))
    for i in range(0, T, block_size):
        q = Q[i : i + block_size]
        rows = i + np.arange(len(q))[:, None]
        m = np.full((len(q), 1), -np.inf)
        l = np.zeros((len(q), 1))
        o = np.zeros((len(q), V.shape[1]))
        for j in range(0, i + len(q) if causal else T, block_size):
            k, v = K[j : j + block_size], V[j : j + block_size]
            s = q @ k.T / np.sqrt(d)
            if causal:
                s = np.where(j + np.arange(len(k)) > rows, -np.inf, s)
            m_new = np.maximum(m, s.max(axis=1, keepdims=True))
            p = np.exp(s - m_new)
            c = np.exp(m - m_new)
            l = l * c + p.sum(axis=1, keepdims=True)
            o = o * c + p @ v
            m = m_new
        output[i : i + block_size] = o / l
    return output
