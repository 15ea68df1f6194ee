import numpy as np


def project(x, Wq, Wk, Wv):
    queries, keys, values = [], [], []
    for token in x:
        queries.append(Wq.T.dot(token))
        keys.append(Wk.T.dot(token))
        values.append(token)
    return np.asarray(queries), np.asarray(keys), np.asarray(values)
