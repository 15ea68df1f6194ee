import numpy as np
def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.zeros((T, V.shape[1]))
    for i in range(0, T, block_size):
        q = Q[i:i + block_size]
        m, l, o = np.full((len(q), 1), -np.inf), np.zeros((len(q), 1)), np.zeros((len(q), V.shape[1]))
        for j in range(0, T, block_size):
            if causal and j > i: break
            s = q @ K[j:j + block_size].T / np.sqrt(d)
            if causal:
                s = s + np.where(np.arange(j, j + s.shape[1]) > np.arange(i, i + len(q))[:, None], -np.inf, 0)
            new = np.maximum(m, s.max(1, keepdims=True))
            p = np.exp(s - new)
            l_new = l * np.exp(m - new) + p.sum(1, keepdims=True)
            o = (l * np.exp(m - new) * o + p @ V[j:j + block_size]) / l_new
            m, l = new, l_new
        out[i:i + block_size] = o
    return out
