import numpy as np


def rows(Q, K):
    for q in Q:
        s = K @ q / np.sqrt(q.size)
        e = np.exp(s - s.max())
        yield e / e.sum()


def attention(Q, K, V):
    weights = np.vstack(list(rows(Q, K)))
    output = np.vstack([(w[:, None] * V).sum(axis=0) for w in weights])
    return output, weights
