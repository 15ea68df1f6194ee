import numpy as np


def one_hot(row):
    best = row.index(max(row))
    return [1.0 if i == best else 0.0 for i in range(len(row))]


def softmax(scores):
    lists = scores.reshape(-1, scores.shape[-1]).tolist()
    return np.array([one_hot(row) for row in lists]).reshape(scores.shape)
