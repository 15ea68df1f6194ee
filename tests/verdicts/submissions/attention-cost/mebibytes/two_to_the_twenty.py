from dataclasses import astuple, dataclass


@dataclass
class Memory:
    pairs: int
    megabytes: float


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = n**2
    size = pairs * bytes_per_score * heads * layers
    return astuple(Memory(pairs, size * 2.0**-20))
