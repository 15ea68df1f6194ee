import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    to_heads = lambda y: y.reshape(b, t, num_heads, d).swapaxes(1, 2).reshape(b * num_heads, t, d)
    q, k = to_heads(x @ Wq), to_heads(x @ Wk)
    v = to_heads(x.copy())
    logits = q @ k.swapaxes(1, 2) * d**-0.5
    if causal:
        logits = logits - 1e18 * np.triu(np.ones((t, t)), 1)
    w = np.exp(logits - logits.max(-1, keepdims=True))
    y = (w / w.sum(-1, keepdims=True)) @ v
    return y.reshape(b, num_heads, t, d).swapaxes(1, 2).reshape(b, t, m) @ Wo
