import numpy as np


def project(x, Wq, Wk, Wv):
    unit = lambda W: W / np.sqrt((W**2).sum(axis=0))
    return x @ unit(Wq), x @ unit(Wk), x @ unit(Wv)
