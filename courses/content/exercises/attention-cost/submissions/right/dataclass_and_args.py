from dataclasses import dataclass


@dataclass
class Model:
    bytes_per_score: int = 2
    heads: int = 1
    layers: int = 1

    def megabytes(self, n):
        return self.layers * (self.heads * (n * n * self.bytes_per_score)) / 10 ** 6


def attention_cost(n, *args, **kwargs):
    return n * n, Model(*args, **kwargs).megabytes(n)
