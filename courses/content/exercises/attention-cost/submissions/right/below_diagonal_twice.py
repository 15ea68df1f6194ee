def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    # the pairs below, on and above the diagonal
    below = n * (n - 1) // 2
    pairs = 2 * below + n
    mb = 1e-6 * bytes_per_score * pairs * heads * layers
    return pairs, mb
