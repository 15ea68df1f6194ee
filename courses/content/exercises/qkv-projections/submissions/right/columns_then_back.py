import numpy as np

# I think of tokens as columns, like in my linear algebra class

def project(X, W_q, W_k, W_v):
    cols = X.T
    q = (W_q.T @ cols).T
    k = (W_k.T @ cols).T
    v = (W_v.T @ cols).T
    return q, k, v
