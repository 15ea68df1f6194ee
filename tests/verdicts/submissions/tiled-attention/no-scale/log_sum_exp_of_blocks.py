import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t in range(len(Q)):
        stop = t + 1 if causal else len(K)
        outs, lses = [], []
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ Q[t]
            lse = np.logaddexp.reduce(s)
            outs.append(np.exp(s - lse) @ V[a : a + len(s)])
            lses.append(lse)
        share = np.exp(np.array(lses) - np.logaddexp.reduce(lses))
        rows.append(share @ np.array(outs))
    return np.array(rows)
