import numpy as np


import math
def softmax(scores):
    return np.vectorize(lambda s: 1 / (1 + math.exp(-s)))(scores)
