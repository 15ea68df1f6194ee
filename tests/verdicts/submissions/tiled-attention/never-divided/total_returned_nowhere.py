# mistakes: never-divided, not-normalised
import numpy as np


class Online:
    def __init__(self, q, width):
        self.q = q / np.sqrt(q.size)
        self.m, self.l, self.o = -np.inf, 0.0, np.zeros(width)

    def see(self, k, v):
        s = k @ self.q
        m = max(self.m, s.max())
        self.l = self.l * np.exp(self.m - m) + np.exp(s - m).sum()
        self.o = self.o * np.exp(self.m - m) + np.exp(s - m) @ v
        self.m = m


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q):
        online = Online(q, V.shape[1])
        n = t + 1 if causal else len(K)
        for a in range(0, n, block_size):
            online.see(K[a : min(a + block_size, n)], V[a : min(a + block_size, n)])
        rows.append(online.o)
    return np.array(rows)
