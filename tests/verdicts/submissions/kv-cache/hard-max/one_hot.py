import numpy as np


def start():
    return None, None


def step(cache, q_t, k_t, v_t):
    K, V = cache
    K = np.atleast_2d(k_t) if K is None else np.r_[K, [k_t]]
    V = np.atleast_2d(v_t) if V is None else np.r_[V, [v_t]]
    s = K @ q_t / np.sqrt(K.shape[1])
    one_hot = (np.arange(len(s)) == np.argmax(s)).astype(float)
    return one_hot @ V, (K, V)
