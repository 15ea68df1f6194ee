from decimal import ROUND_HALF_EVEN, Decimal


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    size = Decimal(n * n) * bytes_per_score * heads * layers / 10**6
    return n * n, float(size.quantize(Decimal("0.1"), rounding=ROUND_HALF_EVEN))
