import numpy as np


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    n = np.array([n], dtype=np.int32)
    pairs = int((n * n)[0])
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
