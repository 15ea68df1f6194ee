import numpy as np


def attention(Q, K, V):
    scale = 1.0 / np.sqrt(Q.shape[0])
    out, rows = [], []
    for q in Q * scale:
        e = np.exp(K @ q - (K @ q).max())
        w = e / e.sum()
        rows.append(w)
        out.append(w @ V)
    return np.array(out), np.array(rows)
