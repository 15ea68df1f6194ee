KB = 1024
MB = 1024 * KB


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    total = 0
    for _ in range(layers):
        total += heads * pairs * bytes_per_score
    return pairs, total / MB
