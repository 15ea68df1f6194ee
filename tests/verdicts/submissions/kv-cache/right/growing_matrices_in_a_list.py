import numpy as np


def start():
    return [None, None]


def step(cache, q_t, k_t, v_t):
    for place, row in enumerate((k_t, v_t)):
        old = cache[place]
        cache[place] = row.reshape(1, -1) if old is None else np.concatenate((old, row.reshape(1, -1)))
    K, V = cache
    s = np.tensordot(K, q_t, 1) / np.sqrt(K.shape[1])
    w = np.exp(s - max(s))
    output = np.zeros(V.shape[1])
    np.matmul(w / sum(w), V, out=output)
    return [output, cache]
