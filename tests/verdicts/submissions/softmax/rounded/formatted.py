import numpy as np


def softmax(scores):
    m = np.maximum(scores.max(-1, keepdims=True), np.finfo(float).min)
    e = np.exp(scores - m)
    p = e / np.clip(e.sum(-1, keepdims=True), 1e-12, None)
    text = np.char.mod("%.3f", p)
    return text.astype(float)
