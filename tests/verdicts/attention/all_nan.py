# status: failed
# mistakes: nan-result
# says: holds NaN
import numpy as np


def attention(Q, K, V):
    return np.full((len(Q), V.shape[1]), np.nan), np.full((len(Q), len(K)), np.nan)
