def project(x, Wq, Wk, Wv):
    def rows(W):
        return tuple(map(lambda t: tuple(t @ W), x))

    return rows(Wq), rows(Wk), rows(Wv)
