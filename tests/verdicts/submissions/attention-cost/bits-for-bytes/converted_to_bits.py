BITS_IN_A_BYTE = 8


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    score_bits = bytes_per_score * BITS_IN_A_BYTE
    all_scores = n * n * heads * layers
    return n * n, all_scores * score_bits / 1_000_000
