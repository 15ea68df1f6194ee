import numpy as np


def softmax(scores):
    # log-sum-exp is the stable way
    with np.errstate(invalid="ignore"):
        total = np.logaddexp2.reduce(scores, axis=-1)
        log_shares = scores - np.expand_dims(total, -1)
    return np.where(np.isnan(log_shares), 0, np.exp2(log_shares))
