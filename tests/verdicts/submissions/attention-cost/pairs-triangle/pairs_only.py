def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    return n * (n - 1) // 2, n * n * bytes_per_score * heads * layers / 1e6
