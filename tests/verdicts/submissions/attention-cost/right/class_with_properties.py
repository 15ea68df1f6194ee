class Attention:
    def __init__(self, n, bytes_per_score, heads, layers):
        self.n, self.size, self.matrices = n, bytes_per_score, heads * layers

    @property
    def pairs(self):
        return self.n**2

    @property
    def megabytes(self):
        return self.pairs * self.size * self.matrices / 1_000_000


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    a = Attention(n, bytes_per_score, heads, layers)
    return a.pairs, a.megabytes
