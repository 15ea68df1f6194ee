# status: failed
# mistakes:
# says: far larger than any right answer
import numpy as np


def attention(Q, K, V):
    return np.zeros((4000, 4000)), np.zeros((4, 4))
