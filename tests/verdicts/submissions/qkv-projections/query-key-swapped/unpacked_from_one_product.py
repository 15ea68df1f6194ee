# mistakes: query-key-swapped, results-swapped
from numpy import hsplit, hstack


def project(embeddings, Wq, Wk, Wv):
    width = Wq.shape[-1]
    fused = embeddings @ hstack((Wk, Wq, Wv))
    q, k, v = hsplit(fused, [width, 2 * width])
    return q, k, v
