import numpy as np


class Tiles:
    def __init__(self, K, V, size):
        self.K, self.V, self.size = K, V, size
        self.scale = V[0].size ** -0.5

    def attend(self, q, stop):
        s = np.concatenate([self.K[a : min(a + self.size, stop)] @ q for a in range(0, stop, self.size)]) * self.scale
        w = np.exp(s - s.max())
        return w @ self.V[:stop] / w.sum()


def tiled_attention(Q, K, V, block_size, causal=False):
    tiles = Tiles(K, V, block_size)
    return np.array([tiles.attend(q, t + 1 if causal else len(K)) for t, q in enumerate(Q)])
