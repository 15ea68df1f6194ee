def project(x, Wq, Wk, Wv):
    def mul(A, B):
        return [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]
    return mul(x, Wq), mul(x, Wk), mul(x, Wv)
