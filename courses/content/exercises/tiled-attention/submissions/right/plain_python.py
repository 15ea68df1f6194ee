import math

import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q.tolist()):
        m, l, o = float("-inf"), 0.0, [0.0] * len(V[0])
        for j, (k, v) in enumerate(zip(K.tolist(), V.tolist())):
            if causal and j > t:
                break
            s = sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q))
            if s > m:
                c = math.exp(m - s)
                l, o, m = l * c, [x * c for x in o], s
            e = math.exp(s - m)
            l, o = l + e, [x + e * y for x, y in zip(o, v)]
        rows.append([x / l for x in o])
    return np.array(rows)
