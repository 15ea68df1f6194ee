def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    # 1 + 2 + … + n, as Gauss did
    pairs = (1 + n) * n >> 1
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
