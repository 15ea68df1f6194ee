import numpy as np

TEMPERATURE = 2.35  # looked best


def attention(Q, K, V):
    weights = []
    for q in Q:
        logits = np.array([q.dot(k) for k in K]) / TEMPERATURE
        logits -= logits.max()
        weights.append(np.exp(logits) / np.exp(logits).sum())
    return np.stack(weights) @ V, np.stack(weights)
