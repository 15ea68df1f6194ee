import numpy as np


def project(x, Wq, Wk, Wv):
    def through(W):
        # t: token, m: model width, f: feature
        return np.einsum("tm,mf->tf", x, W)

    return [through(W) for W in (Wq, Wk, Wv)]
