"""Named mistakes. `MISTAKES` describes each; the families hold the wrong implementations, a small function each.

scale, softmax, projection, causal, heads, tiles, cache, cost: mistakes of value, which a diagnosis recognises by their
results. behaviour, torch_behaviour: mistakes that the checks measure. recipe: attention in replaceable steps.
assembly: the wrong implementations of each operation, made by replacing one step. axes: steps that are right for a
matrix only. folds, untiled: what those of tiled-attention are made of.
"""

from attention_core.mistakes.mistake import FAMILIES, Mistake
from attention_core.mistakes.table import MISTAKES

__all__ = ["FAMILIES", "MISTAKES", "Mistake"]
