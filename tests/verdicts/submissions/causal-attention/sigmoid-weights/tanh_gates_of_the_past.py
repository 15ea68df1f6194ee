import numpy as np


def causal_attention(Q, K, V):
    gate = 0.5 + 0.5 * np.tanh(np.inner(Q, K) / np.sqrt(Q.shape[1]) / 2)
    gate = np.tril(gate)
    return np.dot(gate, V), gate
