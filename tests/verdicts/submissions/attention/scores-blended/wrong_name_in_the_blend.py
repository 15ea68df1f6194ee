import numpy as np


def attention(Q, K, V):
    attn = Q.dot(K.T) / np.sqrt(Q.shape[1])
    attn_weights = np.exp(attn - attn.max(axis=1, keepdims=True))
    attn_weights /= attn_weights.sum(axis=1, keepdims=True)
    return attn.dot(V), attn_weights
