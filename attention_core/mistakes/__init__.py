"""Named mistakes. `MISTAKES` describes each; the families hold the wrong implementations, a small function each.

scale, softmax, projection, causal, cost: mistakes of value, which a diagnosis recognises by their results.
behaviour: mistakes that the checks measure. recipe: attention in replaceable steps. assembly: the wrong
implementations of each operation, made by replacing one step.
"""

from attention_core.mistakes.mistake import FAMILIES, Mistake
from attention_core.mistakes.table import MISTAKES

__all__ = ["FAMILIES", "MISTAKES", "Mistake"]
