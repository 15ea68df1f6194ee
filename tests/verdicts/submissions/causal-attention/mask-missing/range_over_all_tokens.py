import numpy as np


from math import exp, sqrt


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for t in range(T):
        scores = []
        for j in range(T):
            scores.append(float(Q[t] @ K[j]) / sqrt(d))
        top = max(scores)
        total = sum(exp(s - top) for s in scores)
        for j in range(T):
            W[t, j] = exp(scores[j] - top) / total
    return W @ V, W
