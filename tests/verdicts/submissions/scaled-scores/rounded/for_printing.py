import numpy as np


np_print = {"precision": 3}


def scaled_scores(Q, K):
    s = np.inner(Q, K) / np.sqrt(Q.shape[1])
    s = np.around(s, np_print["precision"])
    print(s)
    return s
