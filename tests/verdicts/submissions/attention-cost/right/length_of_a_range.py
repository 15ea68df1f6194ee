def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    flat = range(n * n)  # one number for each score, nothing stored
    pairs = flat.stop
    return (pairs, float(pairs * heads * layers * bytes_per_score) / 1e6)
