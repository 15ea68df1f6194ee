# status: passed
# mistakes:
import tempfile
import threading

import numpy as np


def attention(Q, K, V):
    with tempfile.TemporaryFile() as scratch:
        np.save(scratch, Q @ K.T / np.sqrt(Q.shape[1]))
        scratch.seek(0)
        scores = np.load(scratch)
    weights = np.empty_like(scores)

    def row(i):
        powers = np.exp(scores[i] - scores[i].max())
        weights[i] = powers / powers.sum()

    threads = [threading.Thread(target=row, args=(i,)) for i in range(len(scores))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return weights @ V, weights
