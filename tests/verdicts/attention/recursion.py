# status: error
# mistakes:
# says: RecursionError at line 5
def attention(Q, K, V):
    return attention(Q, K, V)
