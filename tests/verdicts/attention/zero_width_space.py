# status: error
# mistakes:
# says: cannot be seen
def attention(Q, K, V):
    return ​V, Q
