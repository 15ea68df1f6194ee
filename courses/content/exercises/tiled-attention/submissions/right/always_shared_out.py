import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    O, L, M = np.zeros((T, V.shape[1])), np.zeros(T), np.full(T, -1e30)
    for j in range(0, T, block_size):
        for i in range(0, T, block_size):
            if causal and j > i:
                continue
            I, J = slice(i, i + block_size), slice(j, j + block_size)
            S = Q[I] @ K[J].T / np.sqrt(d)
            if causal and i == j:
                S[np.triu_indices(len(S), 1)] = -np.inf
            new = np.maximum(M[I], S.max(axis=1))
            P = np.exp(S - new[:, None])
            total = L[I] * np.exp(M[I] - new) + P.sum(axis=1)
            O[I] = (O[I] * (L[I] * np.exp(M[I] - new))[:, None] + P @ V[J]) / total[:, None]
            M[I], L[I] = new, total
    return O
