import numpy as np


import math


def tiled_attention(Q, K, V, block_size, causal=False):
    pieces = math.ceil(len(K) / block_size)
    blocks = [list(range(n * block_size, min((n + 1) * block_size, len(K)))) for n in range(pieces)]
    output = np.zeros_like(V)
    for rows in blocks:
        total = np.zeros((len(rows), 1))
        biggest = np.full((len(rows), 1), -np.inf)
        for columns in blocks:
            if causal and columns[0] > rows[-1]:
                continue
            scores = Q[rows] @ K[columns].T / math.sqrt(Q.shape[1])
            if causal:
                scores[np.array(columns)[None, :] > np.array(rows)[:, None]] = -np.inf
            higher = np.maximum(biggest, scores.max(axis=1, keepdims=True))
            total *= np.exp(biggest - higher)
            output[rows] *= np.exp(biggest - higher)
            powers = np.exp(scores - higher)
            total += powers.sum(axis=1, keepdims=True)
            output[rows] += powers @ V[columns]
            biggest = higher
        output[rows] /= total
    return output
