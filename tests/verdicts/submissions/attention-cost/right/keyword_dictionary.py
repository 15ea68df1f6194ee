def attention_cost(n, **model):
    size = model.get("bytes_per_score", 2)
    heads, layers = model.get("heads", 1), model.get("layers", 1)
    pairs = n**2
    return pairs, size * heads * layers * pairs / 1e6


_by_name = attention_cost


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):  # noqa: F811
    return _by_name(n, bytes_per_score=bytes_per_score, heads=heads, layers=layers)
