def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n * n
    total = 0
    for _layer in range(layers):
        for _head in range(heads):
            total += pairs * bytes_per_score
    print(f"{total} bytes")
    return pairs, total / 10**6
