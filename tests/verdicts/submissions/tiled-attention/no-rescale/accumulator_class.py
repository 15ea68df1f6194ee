import numpy as np


class Row:
    def __init__(self, width):
        self.top, self.total, self.out = -np.inf, 0.0, np.zeros(width)

    def add(self, scores, values):
        self.top = max(self.top, scores.max())
        p = np.exp(scores - self.top)
        self.total += p.sum()
        self.out += p @ values

    def result(self):
        return self.out / self.total


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for t, q in enumerate(Q):
        row = Row(V.shape[1])
        last = t + 1 if causal else len(K)
        for a in range(0, last, block_size):
            b = min(a + block_size, last)
            row.add(K[a:b] @ q / np.sqrt(q.size), V[a:b])
        out.append(row.result())
    return np.array(out)
