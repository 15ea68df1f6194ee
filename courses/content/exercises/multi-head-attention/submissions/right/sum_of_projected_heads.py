import numpy as np


def attend(q, k, v, causal):
    T, d = q.shape
    out = np.empty((T, d))
    for t in range(T):
        last = t + 1 if causal else T
        s = k[:last] @ q[t] / d**0.5
        e = np.exp(s - s.max())
        out[t] = e @ v[:last] / e.sum()
    return out


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = len(Wo) // num_heads
    result = []
    for sequence in x:
        total = 0
        for start in range(0, len(Wo), d):
            q, k, v = (sequence @ W[:, start : start + d] for W in (Wq, Wk, Wv))
            total = total + attend(q, k, v, causal) @ Wo[start : start + d]
        result.append(total)
    return np.array(result)
