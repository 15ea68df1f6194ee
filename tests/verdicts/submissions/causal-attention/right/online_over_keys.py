import numpy as np


def causal_attention(Q, K, V):
    """All queries at once, one key after another; running maximum and sum."""
    T = len(Q)
    scale = 1 / np.sqrt(Q.shape[1])
    m = np.full((T, 1), -np.inf)
    z = np.zeros((T, 1))
    acc = np.zeros(V.shape)
    logits = np.full((T, T), -np.inf)
    for j in range(T):
        s = scale * (Q[j:] @ K[j])[:, None]
        logits[j:, j] = s[:, 0]
        new = np.maximum(m[j:], s)
        factor = np.exp(m[j:] - new)
        p = np.exp(s - new)
        z[j:] = z[j:] * factor + p
        acc[j:] = acc[j:] * factor + p * V[j]
        m[j:] = new
    return acc / z, np.exp(logits - m) / z
