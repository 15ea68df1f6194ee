import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    out = []
    for seq in x:
        heads = []
        for q, k, v in zip(*(np.array_split(seq @ W, num_heads, axis=1) for W in (Wq, Wk, Wv))):
            s = np.dot(q, np.reshape(k, (k.shape[1], k.shape[0]))) / np.sqrt(k.shape[1])
            if causal:
                s = s + np.triu(np.full_like(s, -np.inf), 1)
            e = np.exp(s - s.max(axis=1, keepdims=True))
            heads.append(e.dot(v) / e.sum(axis=1, keepdims=True))
        out.append(np.column_stack(heads).dot(Wo))
    return np.array(out)
