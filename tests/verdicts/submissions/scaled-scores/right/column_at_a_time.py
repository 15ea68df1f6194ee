import numpy as np


def scaled_scores(Q, K):
    d = K.shape[1]
    columns = [Q @ (k / np.sqrt(d)) for k in K]
    return np.column_stack(columns)
