import math


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = math.pow(n, 2)
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
