# status: failed
# mistakes:
# says: expected
import numpy as np


def attention(Q, K, V):
    return np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
