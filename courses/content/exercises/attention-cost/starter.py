def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    """Count the scores of n tokens, and the memory they fill.

    Returns (pairs, megabytes):
    pairs      of one head and layer, an int
    megabytes  of all heads and layers, a float
    """
    pairs = ...
    megabytes = ...
    return pairs, megabytes
