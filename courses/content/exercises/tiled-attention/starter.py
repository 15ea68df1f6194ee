import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    """Attention, a tile of scores at a time.

    Q  (T, d)   queries
    K  (T, d)   keys
    V  (T, dv)  values

    Returns the output, of shape (T, dv).
    """
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(Q), block_size):
        q = Q[i : i + block_size]
        ...
    return output
