def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    whole, rest = divmod(pairs * bytes_per_score * heads * layers, 10**6)
    return pairs, whole + rest / 10**6
