import math
import numpy as np


def softmax(scores):
    def safe_exp(s):
        try:
            return math.exp(s)
        except OverflowError:
            return float("inf")

    flat = scores.reshape(-1, scores.shape[-1])
    out = np.zeros_like(flat)
    for i, row in enumerate(flat):
        exps = np.array([safe_exp(s) for s in row])
        out[i] = exps / exps.sum()
    return out.reshape(scores.shape)
