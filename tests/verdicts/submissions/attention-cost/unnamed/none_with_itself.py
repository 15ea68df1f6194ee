def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * (n - 1)
    return pairs, pairs * bytes_per_score * heads * layers / 10 ** 6
