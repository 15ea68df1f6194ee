from numpy import dot, empty


def project(x, Wq, Wk, Wv):
    tokens = x.shape[0]
    Q, K, V = (empty((tokens, W.shape[1])) for W in (Wq, Wk, Wv))
    for target, W in ((Q, Wq), (K, Wk), (V, Wv)):
        dot(x, W, out=target)
    return Q, K, V
