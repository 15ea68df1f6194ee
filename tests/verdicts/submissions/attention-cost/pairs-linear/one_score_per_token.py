def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    """Each new token needs one score."""
    scores = list(range(n)) if n < 10_000 else range(n)
    pairs = len(scores)
    bytes_total = pairs * bytes_per_score * heads * layers
    return pairs, bytes_total / 1_000_000
