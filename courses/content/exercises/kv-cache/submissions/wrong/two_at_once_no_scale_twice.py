import numpy as np


def start():
    return None


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def step(cache, q_t, k_t, v_t):
    q, k, v = q_t[None, :], k_t[None, :], v_t[None, :]
    if cache is not None:
        k = np.concatenate([cache[0], k])
        v = np.concatenate([cache[1], v])
    scores = q @ k.T
    output = softmax(softmax(scores)) @ v
    return output[0], (k, v)
