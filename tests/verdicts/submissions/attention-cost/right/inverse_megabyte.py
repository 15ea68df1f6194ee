PER_BYTE = 1 / 1_000_000


def attention_cost(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> tuple[int, float]:
    pairs = n.__pow__(2)
    one_head = pairs * bytes_per_score * PER_BYTE
    return pairs, one_head * heads * layers
