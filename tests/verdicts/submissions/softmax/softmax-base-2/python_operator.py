import numpy as np


def one_row(row):
    top = max(row)
    if top == float("-inf"):
        return [0.0 for _ in row]
    powers = [2 ** (s - top) for s in row]
    return [p / sum(powers) for p in powers]


def softmax(scores):
    table = scores.reshape(-1, scores.shape[-1]).tolist()
    return np.reshape([one_row(row) for row in table], scores.shape)
