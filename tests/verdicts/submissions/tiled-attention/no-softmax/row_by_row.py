# mistakes: no-softmax, scores-blended
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros((len(Q), V.shape[1]))
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        for a in range(0, stop, block_size):
            for j in range(a, min(a + block_size, stop)):
                out[t] += np.dot(q, K[j]) / np.sqrt(q.size) * V[j]
    return out
