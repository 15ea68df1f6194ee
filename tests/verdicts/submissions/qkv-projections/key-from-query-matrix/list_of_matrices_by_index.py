def project(x, Wq, Wk, Wv):
    Ws = [Wq, Wk, Wv]
    Q = x.dot(Ws[0])
    K = x.dot(Ws[0])
    V = x.dot(Ws[2])
    return Q, K, V
