def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    scores = pairs * bytes_per_score * heads * layers
    vectors = 3 * n * bytes_per_score * heads * layers
    return pairs, (scores + vectors) / 1e6
