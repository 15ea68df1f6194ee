import math


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = int(n * math.log2(n)) + n
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
