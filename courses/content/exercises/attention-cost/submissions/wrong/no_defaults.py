def attention_cost(n, bytes_per_score, heads, layers):
    pairs = n * n
    return pairs, pairs * bytes_per_score * heads * layers / 1e6
