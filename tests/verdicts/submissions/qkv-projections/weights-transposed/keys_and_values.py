def project(x, Wq, Wk, Wv):
    return x @ Wq, x @ Wk.T, x @ Wv.T
