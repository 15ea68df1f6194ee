# status: memory
# mistakes:
# says: more than the 128 MB of memory
import numpy as np


def attention(Q, K, V):
    return np.ones((50_000, 50_000)), V
