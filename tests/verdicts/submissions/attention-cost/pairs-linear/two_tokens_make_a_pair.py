class Cost:
    def __init__(self, n):
        self.queries = n
        self.keys = n

    @property
    def pairs(self):
        return self.queries + self.keys


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    c = Cost(n)
    return c.pairs, c.pairs * bytes_per_score * heads * layers / 10**6
