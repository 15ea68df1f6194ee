def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    bits = pairs * bytes_per_score * 8
    return pairs, bits * heads * layers / 1e6
