import numpy as np


def attention(Q, K, V):
    S = (Q[:, None, :] * K[None, :, :]).sum(-1) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(-1)[:, None])
    W = E / E.sum(-1)[:, None]
    return (W[:, :, None] * V[None, :, :]).sum(1), W
