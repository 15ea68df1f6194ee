import numpy as np


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = np.square(np.int64(n))
    return pairs, float(pairs) * bytes_per_score * heads * layers / 1e6
