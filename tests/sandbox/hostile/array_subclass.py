import numpy as np


class Right(np.ndarray):
    def __eq__(self, other):
        return np.True_

    def __array_ufunc__(self, *_, **__):
        return np.zeros(1)

    def __array_finalize__(self, source):
        self.looked_at = True

    def tobytes(self, order="C"):
        return bytes(8 * self.size)


def attack(x):
    return x.view(Right)
