import numpy as np


def softmax_one(s):
    e = np.exp(s)
    return e / (1 + e.sum())


def start():
    return [], []


def step(cache, q_t, k_t, v_t):
    K, V = [*cache[0], k_t], [*cache[1], v_t]
    return softmax_one(np.dot(K, q_t) / np.sqrt(q_t.size)) @ np.array(V), (K, V)
