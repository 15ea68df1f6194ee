def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    mb = pairs * bytes_per_score * heads * layers / 1e6
    return pairs, float(f"{mb:.2f}")
