import numpy as np


from numpy.lib import scimath


def scaled_scores(Q, K):
    d = complex(Q.shape[1])
    return np.dot(Q, K.T) / scimath.sqrt(d)
