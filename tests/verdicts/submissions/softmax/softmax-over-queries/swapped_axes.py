import numpy as np


class Softmax:
    axis = -2

    def __call__(self, z):
        z = z - np.amax(z, axis=self.axis, keepdims=True)
        z = np.exp(z)
        return z / np.add.reduce(z, axis=self.axis, keepdims=True)


softmax = Softmax().__call__
