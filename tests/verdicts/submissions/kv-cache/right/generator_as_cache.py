import numpy as np
def _run():
    K, V, out = [], [], None
    while True:
        q, k, v = yield out
        K.append(k); V.append(v)
        s = np.asarray(K) @ q / np.sqrt(q.size)
        e = np.exp(s - s.max())
        out = e @ np.asarray(V) / e.sum()
def start():
    g = _run(); next(g)
    return g
def step(cache, q_t, k_t, v_t):
    return cache.send((q_t, k_t, v_t)), cache
