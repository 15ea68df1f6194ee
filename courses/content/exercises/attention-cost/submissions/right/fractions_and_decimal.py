from decimal import Decimal
from fractions import Fraction


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = int(Decimal(n) * n)
    return pairs, float(Fraction(pairs * bytes_per_score * heads * layers, 10**6))
