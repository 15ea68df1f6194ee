import numpy as np


def project(x, Wq, Wk, Wv):
    x32 = x.astype("float32")
    out = []
    for W in (Wq, Wk, Wv):
        out.append((x32 @ W.astype("float32")).astype("float64"))
    return out
