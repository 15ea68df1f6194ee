"""Answers every way in which NumPy asks an object for its numbers, and claims to be an array."""

import numpy as np


class Pretender:
    __class__ = np.ndarray
    __module__ = "numpy"
    __array_priority__ = 1e9
    shape, dtype, ndim, size = (200_000,), np.dtype("f8"), 1, 200_000

    def __init__(self, numbers):
        self.__array_interface__ = numbers.__array_interface__
        self.__array_struct__ = numbers.__array_struct__

    def __array__(self, *_, **__):
        return np.ones(200_000)

    def __array_ufunc__(self, *_, **__):
        return True

    def __array_function__(self, *_, **__):
        return True

    def __array_wrap__(self, *_, **__):
        return True

    def __getattr__(self, name):
        return self


def attack(x):
    return Pretender(x)
