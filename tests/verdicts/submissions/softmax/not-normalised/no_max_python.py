import numpy as np


import math
def softmax(scores):
    return np.vectorize(math.exp)(scores)
