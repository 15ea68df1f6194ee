from math import exp, fsum, sqrt

import numpy as np


def times(a, b):
    return [[fsum(p * q for p, q in zip(row, column)) for column in zip(*b)] for row in a]


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    Wq, Wk, Wv, Wo = Wq.tolist(), Wk.tolist(), Wv.tolist(), Wo.tolist()
    d = len(Wo) // num_heads
    result = []
    for tokens in x.tolist():
        Q, K, V = times(tokens, Wq), times(tokens, Wk), times(tokens, Wv)
        joined = []
        for i, q in enumerate(Q):
            row = []
            for h in range(num_heads):
                head = range(h * d, (h + 1) * d)
                visible = range(i + 1 if causal else len(K))
                s = [fsum(q[c] * K[j][c] for c in head) / sqrt(d) for j in visible]
                e = [exp(one - max(s)) for one in s]
                row += [fsum(e[j] * V[j][c] for j in visible) / fsum(e) for c in head]
            joined.append(row)
        result.append(times(joined, Wo))
    return np.array(result)
