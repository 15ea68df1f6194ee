# mistakes: mask-multiplied, nan-result
import numpy as np


def causal_attention(Q, K, V):
    m = np.tri(len(Q))
    logits = np.einsum("id,jd->ij", Q, K) / np.sqrt(Q.shape[1])
    with np.errstate(invalid="ignore"):
        logits = logits * m - (1 - m) * np.inf
    w = np.exp(logits - logits.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return w @ V, w
