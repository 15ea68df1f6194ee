# mistakes: no-softmax, scores-blended
import numpy as np


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    keys, values = cache
    keys.append(k_t)
    values.append(v_t)
    weights = [float(np.dot(k, q_t)) / np.sqrt(q_t.shape[0]) for k in keys]
    return np.tensordot(weights, values, axes=1), cache
