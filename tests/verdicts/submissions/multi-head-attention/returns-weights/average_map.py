import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    maps = []
    for q, k in zip(np.split(x @ Wq, num_heads, 2), np.split(x @ Wk, num_heads, 2)):
        s = np.einsum("bid,bjd->bij", q, k) * q.shape[2] ** -0.5
        if causal:
            s[:, np.triu_indices(s.shape[1], 1)[0], np.triu_indices(s.shape[1], 1)[1]] = -np.inf
        maps.append(np.exp(s - np.logaddexp.reduce(s, axis=2, keepdims=True)))
    # as need_weights=True gives them
    return sum(maps) / len(maps)
