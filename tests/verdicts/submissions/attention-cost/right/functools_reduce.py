from functools import reduce
from operator import mul


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    def product(*numbers):
        return reduce(mul, numbers, 1)

    return product(n, n), product(n, n, bytes_per_score, heads, layers) / 1e6
