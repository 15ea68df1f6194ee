"""What is said of a named mistake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FAMILIES: Final = ("scale", "softmax", "projection", "causal", "heads", "tiles", "cache", "cost", "behaviour", "torch")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A named mistake.

    title: a few words, as a heading. meaning: one sentence addressed to the learner. hides: the inputs on which
    code with this mistake gives the right results, so that a test made of these only would accept it.
    """

    id: str
    family: str
    title: str
    meaning: str
    hides: str
