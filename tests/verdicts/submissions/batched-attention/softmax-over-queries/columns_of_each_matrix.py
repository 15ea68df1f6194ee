import numpy as np


def attention(Q, K, V, causal=False):
    if Q.ndim == 2:
        return head(Q, K, V, causal)
    each = map(lambda q, k, v: attention(q, k, v, causal), Q, K, V)
    return np.stack(list(each))


def head(q, k, v, causal):
    t, s = len(q), len(k)
    a = (q @ k.T) / np.sqrt(q.shape[1])
    bias = np.zeros((t, s))
    if causal:
        bias[np.arange(s) > np.arange(s - t, s)[:, None]] = -1e16
    a = a + bias
    a = np.exp(a - a.max(axis=0))
    a = a / a.sum(axis=0)
    return a @ v
