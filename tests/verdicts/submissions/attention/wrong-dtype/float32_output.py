import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    E = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    output = np.zeros((len(Q), V.shape[1]), dtype=np.float32)
    output += (E @ V).astype(np.float32)
    return output, E
