def project(x, Wq, Wk, Wv):
    root = Wq.shape[1] ** 0.5
    Q = x @ Wk / root
    K = x @ Wq
    V = x @ Wv
    return Q, K, V
