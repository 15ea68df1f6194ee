def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * (n + 1) // 2
    return pairs, pairs * bytes_per_score * layers / 1e6
