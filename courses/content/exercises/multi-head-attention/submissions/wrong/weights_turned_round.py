import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    seen = np.tri(x.shape[1], dtype=bool)
    results = []
    for wq, wk, wv in zip(*(np.split(W, num_heads, axis=1) for W in (Wq, Wk, Wv))):
        q, k, v = x @ wq, x @ wk, x @ wv
        scores = q @ k.transpose(0, 2, 1) * wq.shape[1] ** -0.5
        if causal:
            scores = np.where(seen, scores, -np.inf)
        results.append(softmax(scores).transpose(0, 2, 1) @ v)
    return np.concatenate(results, axis=2) @ Wo
