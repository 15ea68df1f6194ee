import numpy as np


from typing import NamedTuple


class Cache(NamedTuple):
    pairs: list


def start():
    return Cache([])


def step(cache, q_t, k_t, v_t):
    cache.pairs.append(np.concatenate([k_t / np.sqrt(k_t.shape[-1]), v_t]))
    pairs = np.stack(cache.pairs)
    scores = pairs[:, :len(k_t)].dot(q_t)
    weights = np.exp(scores - scores.max())
    return weights.dot(pairs[:, len(k_t):]) / weights.sum(), cache
