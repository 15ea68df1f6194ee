def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    size = pairs * bytes_per_score
    size * heads * layers
    return pairs, size / 1e6
