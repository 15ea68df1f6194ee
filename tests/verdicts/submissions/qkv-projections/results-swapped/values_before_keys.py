from collections import namedtuple

Projected = namedtuple("Projected", "Q V K")


def project(x, Wq, Wk, Wv):
    return Projected(Q=x @ Wq, V=x @ Wv, K=x @ Wk)
