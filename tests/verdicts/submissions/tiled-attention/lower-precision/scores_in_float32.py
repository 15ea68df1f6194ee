import numpy as np
def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.empty((T, V.shape[1]))
    for i in range(0, T, block_size):
        s = (Q[i:i + block_size] @ K.T / np.sqrt(d)).astype(np.float32)
        if causal: s = np.where(np.arange(T) > np.arange(i, i + len(s))[:, None], np.float32(-np.inf), s)
        e = np.exp(s - s.max(1, keepdims=True))
        out[i:i + block_size] = (e / e.sum(1, keepdims=True)) @ V
    return out
