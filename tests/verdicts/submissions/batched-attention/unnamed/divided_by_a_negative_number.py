import numpy as np


def attention(Q, K, V, causal=False):
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / -2.5
    if causal:
        row, column = np.indices(scores.shape[-2:])
        own = row + K.shape[-2] - Q.shape[-2]
        scores = np.where(column <= own, scores, -1e25)
    shares = np.exp(scores - scores.max(axis=-1)[..., None])
    shares = shares / shares.sum(axis=-1)[..., None]
    return (shares[..., None] * V[..., None, :, :]).sum(axis=-2)
