"""Building blocks of cases: random inputs of given sizes, and inputs whose scores are steered.

One trick carries most of the extremes: a first feature of its own. With K[:, 0] = key_part and
Q[:, 0] = √d · query_part, every score gets query_part[i] · key_part[j] on top of what the other features
give, to within rounding, however a solution orders its products and divisions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_core.arguments import FloatArray
from attention_core.operation import Arguments

LOWEST_SCORE = -1e12  # of any case; a fill, or a first maximum, of -1e15 or lower is as good as -inf


def normal(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> FloatArray:
    """Independent normal numbers of mean 0 and standard deviation `scale`."""
    return rng.standard_normal(shape) * scale


def draw_attention(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Q, K and V of sizes Tq, Tk, d and dv; their entries, not the scores, have standard deviation `scale`."""
    return {
        "Q": normal(rng, sizes["Tq"], sizes["d"], scale=scale),
        "K": normal(rng, sizes["Tk"], sizes["d"], scale=scale),
        "V": normal(rng, sizes["Tk"], sizes["dv"], scale=scale),
    }


def draw_causal(rng: np.random.Generator, sizes: Mapping[str, int], scale: float = 1.0) -> Arguments:
    """Q, K and V of sizes T, d and dv; their entries have standard deviation `scale`."""
    tokens = {"Tq": sizes["T"], "Tk": sizes["T"], "d": sizes["d"], "dv": sizes["dv"]}
    return draw_attention(rng, tokens, scale)


def unit_values(arguments: Arguments) -> Arguments:
    """The same case with unit vectors for values, as wide as there are keys: the output is the weights."""
    V = arguments["V"]
    return {**arguments, "V": np.broadcast_to(np.eye(V.shape[-1]), V.shape).copy()}


def steer(arguments: Arguments, query_part: ArrayLike, key_part: ArrayLike) -> Arguments:
    """The same case with query_part[i] · key_part[j] added to score (i, j); the first feature carries it.

    Where there are axes before the last two, every matrix of scores gets the same.
    """
    Q, K = arguments["Q"].copy(), arguments["K"].copy()
    Q[..., 0] = np.asarray(query_part, dtype=np.float64) * math.sqrt(Q.shape[-1])
    K[..., 0] = np.asarray(key_part, dtype=np.float64)
    return {**arguments, "Q": Q, "K": K}


def giant(rng: np.random.Generator, arguments: Arguments, size: float) -> Arguments:
    """The same case with scores from size/2 to size for the last key, whatever the query."""
    queries, keys = arguments["Q"].shape[-2], arguments["K"].shape[-2]
    return steer(arguments, rng.uniform(size / 2, size, queries), np.eye(keys)[-1])


def below(rng: np.random.Generator, arguments: Arguments, depth: float) -> Arguments:
    """The same case with scores from -0.99 to -0.81 times `depth` for every key but the last.

    They are so far apart that each row has all its weight on one key, whatever rounding does to numbers of this size.
    No two matrices have the same.
    """
    keys = np.zeros(arguments["K"].shape[-2])
    keys[:-1] = -rng.permutation(np.linspace(0.9, 0.99, len(keys) - 1))
    return steer(arguments, depth * rng.uniform(0.9, 1.0, arguments["Q"].shape[:-1]), keys)
