import numpy as np


def attention(Q, K, V, causal=False):
    d = Q.shape[-1]

    def matrices(q, k, v):
        later = np.subtract.outer(np.arange(-len(q), 0), np.arange(-len(k), 0)) < 0
        logits = np.inner(q, k) / d**0.5
        if causal:
            logits[later] = -1e18
        top = np.amax(logits, axis=1, keepdims=True)
        shares = np.exp(logits - top)
        return shares @ v / shares.sum(axis=1, keepdims=True)

    return np.vectorize(matrices, signature="(q,d),(k,d),(k,v)->(q,v)")(Q, K, V)
