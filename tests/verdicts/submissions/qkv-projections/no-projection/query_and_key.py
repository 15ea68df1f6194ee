def project(x, Wq, Wk, Wv):
    return x, x, x @ Wv
