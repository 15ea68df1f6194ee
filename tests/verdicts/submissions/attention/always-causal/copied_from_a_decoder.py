import numpy as np


def attention(Q, K, V):
    T, d = Q.shape
    mask = np.triu(np.ones((T, K.shape[0])), 1) * -1e9
    logits = np.einsum("td,sd->ts", Q, K) / np.sqrt(d) + mask
    logits -= logits.max(-1, keepdims=True)
    probs = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    return np.einsum("ts,sv->tv", probs, V), probs
