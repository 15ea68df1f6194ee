import numpy as np


def project(x, Wq, Wk, Wv):
    to16 = np.float16
    result = []
    for w in (Wq, Wk, Wv):
        result.append(np.float64(to16(x) @ to16(w)))
    return result
