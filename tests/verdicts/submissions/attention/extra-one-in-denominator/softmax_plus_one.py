import numpy as np


def softmax1(x):
    """So that a head may attend to nothing."""
    e = np.exp(x)
    return e / (1 + np.sum(e, axis=-1, keepdims=True))


def attention(Q, K, V):
    A = softmax1(np.matmul(Q, np.transpose(K)) / np.sqrt(Q.shape[-1]))
    return np.matmul(A, V), A
