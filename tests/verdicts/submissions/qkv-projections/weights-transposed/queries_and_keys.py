def project(x, Wq, Wk, Wv):
    return x @ Wq.T, x @ Wk.T, x @ Wv
