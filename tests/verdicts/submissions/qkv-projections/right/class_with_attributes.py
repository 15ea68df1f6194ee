class Attention:
    def __init__(self, Wq, Wk, Wv):
        self.q, self.k, self.v = Wq, Wk, Wv

    def project(self, tokens):
        return (tokens @ self.q, tokens @ self.k, tokens @ self.v)


def project(x, Wq, Wk, Wv):
    return Attention(Wq, Wk, Wv).project(x)
