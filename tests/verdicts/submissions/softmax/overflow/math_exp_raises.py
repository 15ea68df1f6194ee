import numpy as np


import math
def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = []
    for row in rows:
        e = [math.exp(s) for s in row]
        t = sum(e)
        out.append([v / t if t else 0.0 for v in e])
    return np.array(out).reshape(scores.shape)
