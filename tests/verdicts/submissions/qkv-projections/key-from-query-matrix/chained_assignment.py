def project(tokens, Wq, Wk, Wv):
    q = k = tokens @ Wq
    v = tokens @ Wv
    assert q.shape == k.shape
    return [q, k, v]
