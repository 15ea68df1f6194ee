import numpy as np


def masked_row(row):
    t = int(row[0])
    s = row[1 : t + 2]
    w = np.zeros(row.size - 1)
    w[: t + 1] = np.exp(s - s.max())
    return w / w.sum()


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    numbered = np.column_stack([np.arange(len(S)), S])
    weights = np.apply_along_axis(masked_row, 1, numbered)
    return weights @ V, weights
