# mistakes: scores-blended, no-softmax
import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    keys, values = cache
    keys.append(k_t)
    values.append(v_t)
    scores = np.array(keys) @ q_t / np.sqrt(q_t.size)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return scores @ np.array(values), (keys, values)
