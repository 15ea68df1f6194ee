import numpy as np


def softmax(scores):
    highest = max(scores.ravel())
    rows = scores.reshape(-1, scores.shape[-1])
    out = []
    for row in rows:
        e = [np.exp(s - highest) for s in row]
        total = np.sum(e)
        out.append(np.array(e) / total)
    return np.array(out).reshape(scores.shape)
