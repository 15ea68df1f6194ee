import numpy as np


def block(q, k, v, hidden):
    s = q @ k.T / np.sqrt(q.shape[1])
    s = np.where(hidden, -np.inf, s)
    lse = np.logaddexp.reduce(s, axis=1, keepdims=True)
    return np.exp(s - lse) @ v, lse


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    at = np.arange(T)
    out = []
    for i in range(0, T, block_size):
        rows = slice(i, i + block_size)
        o, lse = block(Q[rows], K[:block_size], V[:block_size], causal & (at[:block_size] > at[rows, None]))
        for j in range(block_size, T, block_size):
            if causal and j > i:
                break
            cols = slice(j, j + block_size)
            o2, lse2 = block(Q[rows], K[cols], V[cols], causal & (at[cols] > at[rows, None]))
            both = np.logaddexp(lse, lse2)
            o, lse = o * np.exp(lse - both) + o2 * np.exp(lse2 - both), both
        out.append(o)
    return np.vstack(out)
