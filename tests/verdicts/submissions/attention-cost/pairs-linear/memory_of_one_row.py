def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = pow(n, 2)
    row = n * bytes_per_score  # only one row is needed at a time
    return pairs, row * heads * layers / 1e6
