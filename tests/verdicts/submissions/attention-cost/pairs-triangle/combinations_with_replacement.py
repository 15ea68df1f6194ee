from math import comb


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = comb(n + 1, 2)  # i <= j
    mb = heads * layers * bytes_per_score * pairs / 1e6
    return pairs, mb
