import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights(q, k, causal):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        s = np.where(np.tri(s.shape[-1]) > 0, s, -np.inf)
    return softmax(s)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    q, k, v = (np.split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv))
    outs = [softmax(weights(a, b, causal)) @ c for a, b, c in zip(q, k, v)]
    return np.concatenate(outs, axis=-1) @ Wo
