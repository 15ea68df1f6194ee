def project(x, Wq, Wk, Wv):
    Q = x
    K = x
    V = x
    return Q, K, V
