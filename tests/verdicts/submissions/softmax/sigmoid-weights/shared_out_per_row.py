from numpy import exp, isneginf, where


def logistic(s):
    return 1 / (1 + exp(-s))


def softmax(scores):
    gates = logistic(scores)
    gates = gates / gates.sum(axis=-1, keepdims=True)
    return where(isneginf(scores).all(axis=-1, keepdims=True), 0.0, gates)
