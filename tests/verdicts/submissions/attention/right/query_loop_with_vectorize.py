import numpy as np


def attention(Q, K, V):
    d = Q.shape[1]

    def one(q):
        s = K @ (q / np.sqrt(d))
        e = np.exp(s - s.max())
        return e / e.sum()

    weights = np.vectorize(one, signature="(d)->(k)")(Q)
    output = np.empty((Q.shape[0], V.shape[1]))
    np.matmul(weights, V, out=output)
    return [output, weights]
