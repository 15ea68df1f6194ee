def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    """n² pairs for one head and layer; bytes of all heads and layers over a million."""
    pairs = n**2
    megabytes = pairs * bytes_per_score * heads * layers / 10**6
    return pairs, megabytes
