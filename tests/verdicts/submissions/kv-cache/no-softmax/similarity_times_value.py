# mistakes: no-softmax, scores-blended
import numpy as np


def start():
    return 0.0


def step(cache, q_t, k_t, v_t):
    # sum of k v^T is all that has to be kept
    memory = cache + np.outer(k_t, v_t)
    return q_t @ memory / np.sqrt(q_t.size), memory
