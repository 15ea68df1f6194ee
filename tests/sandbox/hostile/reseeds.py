"""Leaves random state, hash seed and locale otherwise than it found them."""

import locale
import os
import random

import numpy as np


def attack(x):
    random.seed(5)
    np.random.seed(5)
    random._inst.random = np.random.random = np.random.default_rng = os.urandom = lambda *_: 4
    random.random = lambda: 4
    os.environ.update(PYTHONHASHSEED="7", LANG="tr_TR.UTF-8", OMP_NUM_THREADS="64", HEED_LEFT="left")
    locale.setlocale(locale.LC_ALL, "C")
    return x
