import numpy as np


import math
def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = []
    for row in rows:
        e = [math.exp(s) for s in row]
        out.append([v / sum(e) for v in e])
    return np.array(out).reshape(scores.shape)
