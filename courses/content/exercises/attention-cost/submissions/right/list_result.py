MEGABYTE = 1_000_000


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = pow(n, 2)
    matrices = heads * layers
    total_bytes = matrices * pairs * bytes_per_score
    return [pairs, total_bytes / MEGABYTE]
