def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    """Count the scores of n tokens and the memory they would fill.

    Returns (pairs, megabytes): pairs of one head and layer, an int;
    megabytes (of a million bytes) of all heads and layers, a float.
    """
    pairs = ...
    megabytes = ...
    return pairs, megabytes
