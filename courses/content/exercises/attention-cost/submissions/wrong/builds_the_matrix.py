import numpy as np


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    scores = np.ones((n, n))
    pairs = int(scores.size)
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
