def project(x, Wq, Wk, Wv):
    Q = (x @ Wq).round(3)
    K = (x @ Wk).round(3)
    V = (x @ Wv).round(3)
    return Q, K, V
