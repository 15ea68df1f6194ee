# status: failed
# mistakes: wrong-shape
# says: has shape ()
import numpy as np


def attention(Q, K, V):
    return np.array(0.5), np.array(0.5)
