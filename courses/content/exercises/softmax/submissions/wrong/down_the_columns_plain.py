import numpy as np

def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=0))
    return e / np.sum(e, axis=0)
