"""Texts that a learner's code chose, made fit for every database."""

from __future__ import annotations

from typing import Any


def storable(value: Any) -> Any:
    """JSON-like data with NULs (PostgreSQL's jsonb refuses them) and lone surrogates (UTF-8 has none) made visible."""
    if isinstance(value, str):
        return value.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value
