def double(x: float) -> float:
    return x + x
