import numpy as np


from math import exp, sqrt


def tiled_attention(Q, K, V, block_size, causal=False):
    result = []
    for t, q in enumerate(Q):
        biggest, total, blend = 0.0, 0.0, np.zeros(V.shape[1])
        stop = t + 1 if causal else len(K)
        for start in range(0, stop, block_size):
            for j in range(start, min(start + block_size, stop)):
                s = float(q @ K[j]) / sqrt(len(q))
                if s > biggest:
                    total *= exp(biggest - s)
                    blend *= exp(biggest - s)
                    biggest = s
                total += exp(s - biggest)
                blend += exp(s - biggest) * V[j]
        result.append(blend / total if total else np.zeros(V.shape[1]))
    return np.array(result)
