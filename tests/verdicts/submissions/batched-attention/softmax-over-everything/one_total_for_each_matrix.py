import numpy as np


def softmax(rows):
    powers = np.exp(rows - rows.max())
    return powers / powers.sum()


def attention(Q, K, V, causal=False):
    flat = [a.reshape(-1, *a.shape[-2:]) for a in (Q, K, V)]
    found = []
    for q, k, v in zip(*flat):
        (tq, d), tk = q.shape, len(k)
        s = np.inner(q, k) / np.sqrt(d)
        if causal:
            s[np.triu_indices(tq, tk - tq + 1, tk)] = -np.inf
        found.append(softmax(s) @ v)
    return np.reshape(found, (*Q.shape[:-1], V.shape[-1]))
