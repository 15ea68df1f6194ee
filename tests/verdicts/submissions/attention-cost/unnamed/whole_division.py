def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    return pairs, float(pairs * bytes_per_score * heads * layers // 10**6)
