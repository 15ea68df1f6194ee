import numpy as np


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    result = np.zeros_like(rows)
    for r, row in enumerate(rows):
        peak = row.max()
        if peak == -np.inf:
            continue
        total = 1.0
        for s in row:
            total += np.exp(s - peak)
        result[r] = np.exp(row - peak) / total
    return result.reshape(scores.shape)
