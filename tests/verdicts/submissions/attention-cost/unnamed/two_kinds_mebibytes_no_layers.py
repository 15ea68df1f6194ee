def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    return n * n, n * n * bytes_per_score * heads / 1024**2
