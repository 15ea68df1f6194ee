import numpy as np


def scaled_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    scores[:] = (np.float32(Q) @ np.float32(K).T) / np.float32(np.sqrt(K.shape[1]))
    return scores
