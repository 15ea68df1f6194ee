from math import prod


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    factors = (n, n, bytes_per_score, heads, layers)
    return prod(factors[:2]), prod(factors) / 1e6
