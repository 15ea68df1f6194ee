"""How figures and numbers write things down: numbers, vectors, shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MINUS_INFINITY = "−∞"
GLUE = ",\N{NO-BREAK SPACE}"


def decimal(value: float, places: int = 2) -> str:
    """0.5 as "0.50"; a value that rounds to zero has no sign."""
    return f"{value:.{places}f}".replace("-0.00", "0.00") if value > -1e-9 else f"−{-value:.{places}f}"


def short(value: float) -> str:
    """Whole numbers as they are, others with two decimals."""
    return str(round(value)) if float(value).is_integer() else decimal(value)


def vector(values: Iterable[float]) -> str:
    """[1, 2] or [0.50, 2.00], with spaces that no line breaks at."""
    numbers = [float(value) for value in values]
    write = short if all(number.is_integer() for number in numbers) else decimal
    return f"[{GLUE.join(write(number) for number in numbers)}]"


def percent(share: float, places: int = 0) -> str:
    """0.25 as "25%"."""
    return f"{share * 100:.{places}f}%"


def grouped(value: float) -> str:
    """1048576 as "1,048,576", rounded to a whole number."""
    return f"{value:,.0f}"


def megabytes(value: float) -> str:
    """34359.7 as "34,360 MB"; below one megabyte, two decimals."""
    return f"{grouped(value)} MB" if round(value) else f"{decimal(value)} MB"


def listed(words: Sequence[str]) -> str:
    """ "a, b and c" """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
