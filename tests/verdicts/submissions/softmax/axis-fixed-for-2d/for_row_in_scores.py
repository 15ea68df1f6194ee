import numpy as np


import math


def softmax(scores):
    shares = []
    for row in scores:
        top = max(row)
        if math.isinf(top):
            shares.append([0.0] * len(row))
            continue
        exps = [math.exp(s - top) for s in row]
        z = sum(exps)
        shares.append([e / z for e in exps])
    return np.array(shares)
