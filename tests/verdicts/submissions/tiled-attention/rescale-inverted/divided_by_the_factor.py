import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    result = []
    for t in range(len(Q)):
        last = t + 1 if causal else len(K)
        first = K[: min(block_size, last)] @ Q[t] / np.sqrt(Q.shape[1])
        m = first.max()
        p = np.exp(first - m)
        z, o = p.sum(), p @ V[: len(p)]
        for a in range(block_size, last, block_size):
            s = K[a : min(a + block_size, last)] @ Q[t] / np.sqrt(Q.shape[1])
            new = max(m, s.max())
            shrink = np.exp(m - new)
            p = np.exp(s - new)
            with np.errstate(all="ignore"):
                z = z / shrink + p.sum()
                o = o / shrink + p @ V[a : a + len(p)]
            m = new
        result.append(o / z)
    return np.stack(result)
