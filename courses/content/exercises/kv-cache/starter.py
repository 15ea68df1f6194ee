import numpy as np


def start():
    """The cache of a sequence that has no token yet."""
    return ...


def step(cache, q_t, k_t, v_t):
    """One token more.

    cache       what start or the step before returned
    q_t  (d,)   its query
    k_t  (d,)   its key
    v_t  (dv,)  its value

    Returns (output_t, cache): output_t has the shape (dv,).
    """
    output_t = ...
    return output_t, cache
