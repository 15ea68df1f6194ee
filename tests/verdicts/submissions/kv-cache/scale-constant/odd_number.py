import numpy as np


FACTOR = 0.43


def start():
    return np.zeros((0, 0)), np.zeros((0, 0))


def step(cache, q_t, k_t, v_t):
    K, V = cache
    K = np.vstack([K, k_t]) if len(K) else k_t.reshape(1, -1)
    V = np.vstack([V, v_t]) if len(V) else v_t.reshape(1, -1)
    logits = FACTOR * np.inner(K, q_t)
    p = np.exp(logits - logits.max())
    p = p / p.sum()
    return np.dot(p, V), (K, V)
