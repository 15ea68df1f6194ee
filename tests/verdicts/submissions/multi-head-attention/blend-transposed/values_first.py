import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    rows = []
    for seq in x:
        out = []
        for q, k, v in zip(*(np.hsplit(seq @ W, num_heads) for W in (Wq, Wk, Wv))):
            s = q @ k.T / np.sqrt(q.shape[1])
            s = np.where(np.tri(len(s)) == 1, s, -np.inf) if causal else s
            p = np.exp(s - s.max(axis=1)[:, None])
            p = p / p.sum(axis=1)[:, None]
            out.append((v.T @ p).T)
        rows.append(np.hstack(out) @ Wo)
    return np.stack(rows)
