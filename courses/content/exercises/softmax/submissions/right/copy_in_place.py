import numpy as np

def softmax(scores):
    z = scores.copy()
    finite_max = np.where(np.isinf(z.max(axis=-1)), 0, z.max(axis=-1))
    z -= finite_max[..., np.newaxis]
    np.exp(z, out=z)
    norm = z.sum(axis=-1)[..., np.newaxis]
    np.divide(z, norm, out=z, where=norm > 0)
    return z
