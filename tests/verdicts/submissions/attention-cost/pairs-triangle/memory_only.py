def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    return n * n, n * (n + 1) / 2 * bytes_per_score * heads * layers / 1e6
