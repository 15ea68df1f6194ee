import numpy as np


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    result = []
    for row in rows:
        total = sum(row)
        result.append([s / total for s in row])
    return np.array(result).reshape(scores.shape)
