import numpy as np


from math import exp, sqrt


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t in range(len(Q)):
        total, blend = 0.0, [0.0] * V.shape[1]
        last = t + 1 if causal else len(K)
        for start in range(0, last, block_size):
            for j in range(start, min(start + block_size, last)):
                w = exp(float(Q[t] @ K[j]) / sqrt(Q.shape[1]))
                total += w
                blend = [b + w * float(v) for b, v in zip(blend, V[j])]
        rows.append([b / total for b in blend])
    return np.array(rows)
