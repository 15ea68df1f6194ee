import numpy as np


def project(x, Wq, Wk, Wv):
    # one product instead of three, then cut the result apart
    d = Wq.shape[1]
    W = np.concatenate([Wq, Wk, Wv], axis=1)
    qkv = x @ W
    return qkv[:, :d], qkv[:, d:2 * d], qkv[:, 2 * d:]
