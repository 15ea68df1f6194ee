import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n = len(Q)
    log_total, output = np.full(n, -np.inf), np.zeros((n, V.shape[1]))
    position = np.arange(n)
    for keys in np.split(position, range(block_size, n, block_size)):
        scores = np.einsum("id,jd->ij", Q, K[keys]) / np.sqrt(Q.shape[-1])
        scores = np.where((keys > position[:, None]) & causal, -np.inf, scores)
        new = np.logaddexp(log_total, np.logaddexp.reduce(scores, axis=1))
        output = output * np.exp(log_total - new)[:, None] + np.exp(scores - new[:, None]) @ V[keys]
        log_total = new
    return output
