import numpy as np


def attend(q, k, v, causal):
    s = q @ k.T / np.sqrt(q.shape[1])
    if causal:
        s[np.triu_indices(len(s), 1)] = -np.inf
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    out = []
    for seq in x:
        columns = np.split(np.arange(seq.shape[1]), num_heads)
        q, k = seq @ Wq, seq @ Wk
        out.append(np.hstack([attend(q[:, c], k[:, c], seq[:, c], causal) for c in columns]))
    return np.array(out) @ Wo
