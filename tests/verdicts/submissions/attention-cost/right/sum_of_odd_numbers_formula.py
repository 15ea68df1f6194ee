def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    # 1 + 3 + 5 + … is a square: n terms with mean n
    mean = (1 + (2 * n - 1)) // 2
    pairs = n * mean
    return pairs, bytes_per_score * pairs * heads * layers / 1e6
