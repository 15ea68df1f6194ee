# status: error
# mistakes:
# says: Line 5, column 12: SyntaxError: '(' was never closed
def attention(Q, K, V):
    return (Q @ K.T
