import numpy as np


def softmax(scores):
    finite = scores[np.isfinite(scores)]
    top = finite.max() if finite.size else 0.0
    e = np.exp(scores - top)
    total = e.sum(-1)[..., None]
    ok = total > 0
    return np.divide(e, total, out=np.zeros_like(e), where=ok)
