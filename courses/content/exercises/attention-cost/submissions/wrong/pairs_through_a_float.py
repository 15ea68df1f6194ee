import math


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = int(math.pow(n, 2.0) + 0.5)
    pairs = int(float("%.6g" % pairs))
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
