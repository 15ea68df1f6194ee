def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    kb_of_one_head = n ** 2 * bytes_per_score / 1000
    return (n ** 2, heads * layers * (kb_of_one_head / 1000))
