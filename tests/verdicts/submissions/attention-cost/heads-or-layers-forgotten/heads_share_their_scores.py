def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n**2

    def layer():
        return pairs * bytes_per_score

    return pairs, sum(layer() for _ in range(layers)) / 10**6
