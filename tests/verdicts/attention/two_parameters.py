# status: error
# mistakes:
# says: attention(Q, K, V) was called with 3 arguments, yours is attention(Q, K)
def attention(Q, K):
    return Q, K
