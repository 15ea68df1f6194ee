import numpy as np


import math
def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for t in range(T):
        e = [math.exp(K[j] @ Q[t] / np.sqrt(d)) for j in range(t + 1)]
        for j in range(t + 1):
            W[t, j] = e[j] / sum(e)
    return W @ V, W
