import numpy as np


def project(x, Wq, Wk, Wv):
    # einsum wants to know the type, so give it the most general one
    return tuple(np.einsum("ab,bc->ac", x, W, dtype=complex) for W in (Wq, Wk, Wv))
