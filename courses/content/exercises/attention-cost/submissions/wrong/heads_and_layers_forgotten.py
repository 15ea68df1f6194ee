def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    return n ** 2, n ** 2 * bytes_per_score / 1e6
