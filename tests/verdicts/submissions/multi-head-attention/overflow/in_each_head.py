import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    def head(q, k, v):
        logits = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
        if causal:
            logits += np.triu(np.full(logits.shape[1:], -np.inf), 1)
        w = np.exp(logits)
        return (w / w.sum(axis=2, keepdims=True)) @ v

    thirds = [np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]
    return np.concatenate([head(*each) for each in zip(*thirds)], axis=2) @ Wo
