def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    return pairs, pairs * bytes_per_score * heads**2 * layers / 1e6
