import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        cuts = range(0, stop, block_size)
        block = lambda a: K[a : min(a + block_size, stop)] @ q / q.size**0.5
        top = max(block(a).max() for a in cuts)
        total = sum((2 ** (block(a) - top)).sum() for a in cuts)
        out.append(sum(2 ** (block(a) - top) @ V[a : min(a + block_size, stop)] for a in cuts) / total)
    return np.array(out)
