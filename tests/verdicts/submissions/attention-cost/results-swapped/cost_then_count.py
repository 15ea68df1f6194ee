def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    def pairs():
        return n * n

    def megabytes():
        return pairs() * bytes_per_score * heads * layers / 1e6

    return tuple(f() for f in (megabytes, pairs))
