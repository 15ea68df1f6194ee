import numpy as np


class Linear:
    """y = x W^T, no bias"""

    def __init__(self, weight):
        self.weight = np.asarray(weight)

    def forward(self, inputs):
        return np.dot(inputs, self.weight.transpose())


def project(x, Wq, Wk, Wv):
    layers = [Linear(w) for w in (Wq, Wk, Wv)]
    return tuple(layer.forward(x) for layer in layers)
