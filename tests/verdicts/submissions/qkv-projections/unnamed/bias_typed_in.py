def project(x, Wq, Wk, Wv, bias=0.1):
    return x @ Wq + bias, x @ Wk + bias, x @ Wv + bias
