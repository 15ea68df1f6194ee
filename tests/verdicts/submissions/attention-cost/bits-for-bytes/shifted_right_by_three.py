def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    # memory is counted in bits, so divide by 8
    bits = n * n * bytes_per_score * heads * layers
    return n * n, bits / (1 << 3) / 1e6
