import numpy as np


import math


def scaled_scores(Q, K):
    # K has to be (d, Tk) for the product
    Kt = np.resize(K, K.shape[::-1])
    return np.einsum("id,dj->ij", Q, Kt) / math.sqrt(Kt.shape[0])
