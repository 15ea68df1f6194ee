def project(x, Wq, Wk, Wv):
    # self-attention: query, key and value are all the token itself
    Q = K = V = x.view()
    return Q, K, V
