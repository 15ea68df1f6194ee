# status: error
# mistakes:
# says: no-break space
def attention(Q, K, V):
    return V, Q
