def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n ** 2
    return pairs, int(pairs * bytes_per_score * heads * layers / 1e6)
