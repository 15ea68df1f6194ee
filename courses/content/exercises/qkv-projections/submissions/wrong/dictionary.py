import numpy as np


def project(x, Wq, Wk, Wv):
    return {"Q": x @ Wq, "K": x @ Wk, "V": x @ Wv}
