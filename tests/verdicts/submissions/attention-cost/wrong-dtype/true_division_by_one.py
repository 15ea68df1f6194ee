def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    mb = n * n * bytes_per_score * heads * layers / 1e6
    pairs = mb * 1e6 / bytes_per_score / heads / layers
    return round(pairs, 6), mb
