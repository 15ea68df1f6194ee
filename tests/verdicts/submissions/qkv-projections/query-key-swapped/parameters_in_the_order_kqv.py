# mistakes: query-key-swapped, results-swapped
def project(x, W_K, W_Q, W_V):
    """x: tokens, one per row."""
    keys = x @ W_K
    queries = x @ W_Q
    values = x @ W_V
    return (queries, keys, values)
