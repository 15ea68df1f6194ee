import numpy as np


class Online:
    def __init__(self, rows, width):
        self.m = np.full(rows, -1e300)
        self.z = np.zeros(rows)
        self.o = np.zeros((rows, width))

    def add(self, s, v):
        m = np.maximum(self.m, s.max(axis=1))
        keep = np.exp(self.m - m)
        p = np.exp(s - m[:, None])
        self.z = self.z * keep + p.sum(axis=1)
        self.o = self.o * keep[:, None] + p @ v
        self.m = m

    @property
    def output(self):
        return self.o / self.z[:, None]


def tiled_attention(Q, K, V, block_size, causal=False):
    done = []
    for a in range(0, len(Q), block_size):
        q = Q[a : a + block_size]
        state = Online(len(q), V.shape[1])
        for b in range(0, a + len(q) if causal else len(K), block_size):
            s = np.einsum("id,jd->ij", q, K[b : b + block_size]) * q.shape[1] ** -0.5
            if causal:
                s[np.arange(b, b + s.shape[1]) > np.arange(a, a + len(q))[:, None]] = -np.inf
            state.add(s, V[b : b + block_size])
        done.append(state.output)
    return np.concatenate(done)
