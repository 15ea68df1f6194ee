# mistakes: softmax-over-queries, axis-fixed-for-2d
import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    result = []
    for sentence in x:
        heads = []
        for q, k, v in zip(*[np.hsplit(sentence @ W, num_heads) for W in (Wq, Wk, Wv)]):
            s = q @ k.T / np.sqrt(q.shape[1])
            if causal:
                s[np.triu_indices_from(s, 1)] = -np.inf
            heads.append(softmax(s) @ v)
        result.append(np.hstack(heads) @ Wo)
    return np.stack(result)
