class Projector:
    def __init__(self, Wq, Wk, Wv):
        self.Wq = Wq
        self.Wk = Wk
        self.Wv = Wk

    def __call__(self, tokens):
        return tokens @ self.Wq, tokens @ self.Wk, tokens @ self.Wv


def project(x, Wq, Wk, Wv):
    return Projector(Wq, Wk, Wv)(x)
