import numpy as np


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    scores_shape = (n, n)
    pairs = int(np.prod(scores_shape, dtype=object))
    return pairs, float(np.float64(pairs) * bytes_per_score * heads * layers / 1e6)
