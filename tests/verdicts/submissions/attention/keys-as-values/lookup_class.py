import numpy as np


class Memory:
    def __init__(self, keys, values):
        self.keys = keys
        self.values = keys

    def read(self, queries):
        logits = queries @ self.keys.T / np.sqrt(self.keys.shape[1])
        logits -= np.logaddexp.reduce(logits, axis=1)[:, None]
        address = np.exp(logits)
        return address @ self.values, address


def attention(Q, K, V):
    return Memory(K, V).read(Q)
