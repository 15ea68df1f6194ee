import numpy as np


def attention(Q, K, V):
    # each query decides for each key: let it through or not
    gate = 0.5 * (1 + np.tanh(np.inner(Q, K) / (2 * np.sqrt(Q.shape[1]))))
    return gate.dot(V), gate
