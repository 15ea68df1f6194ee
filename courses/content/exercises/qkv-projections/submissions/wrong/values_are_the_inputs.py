import numpy as np


def project(x, Wq, Wk, Wv):
    # the value is what the word *is*, so just the embedding
    return x @ Wq, x @ Wk, x
