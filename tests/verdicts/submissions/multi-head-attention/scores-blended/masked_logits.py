# mistakes: scores-blended, no-softmax
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = []
    for q, k, v in zip(*[np.split(np.matmul(x, W), num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        attn = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[2])
        if causal:
            attn[:, np.triu(np.ones(attn.shape[1:], bool), 1)] = -np.inf
        probs = np.exp(attn - np.logaddexp.reduce(attn, axis=2, keepdims=True))
        probs = probs.astype(float)
        parts.append(attn @ v)
    return np.concatenate(parts, axis=2) @ Wo
