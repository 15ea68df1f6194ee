def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    megabytes_of_a_head = n * n * bytes_per_score / 1e6
    megabytes = 0.0
    for head in range(heads):
        megabytes += megabytes_of_a_head
    return n * n, megabytes
