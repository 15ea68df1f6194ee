def project(x, Wq, Wk, Wv):
    Q = x.copy()
    Q @ Wq
    K = x @ Wk
    V = x @ Wv
    return Q, K, V
