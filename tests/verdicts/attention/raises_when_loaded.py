# status: error
# mistakes:
# says: raised IndexError at line 6: index 5 is out of bounds
import numpy as np

np.zeros(3)[5]


def attention(Q, K, V):
    return V, Q
