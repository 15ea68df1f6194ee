def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    return n, n * bytes_per_score * 8 * heads * layers / 1e6
