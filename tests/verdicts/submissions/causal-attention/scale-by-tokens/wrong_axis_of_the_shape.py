import numpy as np


def causal_attention(Q, K, V):
    d_k, T = K.shape
    logits = np.inner(Q, K) * d_k**-0.5
    logits += np.triu(np.full_like(logits, -np.inf), 1)
    p = np.exp(logits - logits.max(1, keepdims=True))
    p *= 1 / p.sum(1, keepdims=True)
    return p @ V, p
