# status: error
# mistakes:
# says: ModuleNotFoundError at line 4
import pandas


def attention(Q, K, V):
    return V, Q
