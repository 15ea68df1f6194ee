import numpy as np


import math


def scaled_scores(queries, keys):
    factor = 1 / math.sqrt(queries.shape[-1])
    out = np.zeros((queries.shape[0], keys.shape[0]))
    for (i, j), _ in np.ndenumerate(out):
        out[i, j] = np.dot(queries[i], keys[j]) / factor
    return out
