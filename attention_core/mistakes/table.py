"""Every known mistake by its id: what it is called, what it means, and where it hides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attention_core.mistakes import (
    behaviour,
    cache,
    causal,
    cost,
    heads,
    projection,
    scale,
    softmax,
    tiles,
    torch_behaviour,
)
from attention_core.mistakes.mistake import Mistake

_FAMILIES = (scale, softmax, projection, causal, heads, tiles, cache, cost, behaviour, torch_behaviour)

MISTAKES: Final[Mapping[str, Mistake]] = MappingProxyType(
    {mistake.id: mistake for family in _FAMILIES for mistake in family.DESCRIPTIONS}
)
