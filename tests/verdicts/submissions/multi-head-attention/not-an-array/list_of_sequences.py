import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    outputs = []
    for seq in x:
        heads = []
        for q, k, v in zip(*(np.hsplit(seq @ W, num_heads) for W in (Wq, Wk, Wv))):
            s = q @ k.T / np.sqrt(q.shape[1])
            if causal:
                s = np.where(np.tri(len(s)) > 0, s, -np.inf)
            e = np.exp(s - s.max(axis=1, keepdims=True))
            heads.append(e @ v / e.sum(axis=1, keepdims=True))
        outputs.append(np.hstack(heads) @ Wo)
    return outputs
