from scipy.special import softmax as scipy_softmax


def softmax(scores):
    return scipy_softmax(scores, axis=-1)
