# status: error
# mistakes:
# says: was called with 3 arguments, yours is attention(*, Q, K, V)
def attention(*, Q, K, V):
    return Q, K
