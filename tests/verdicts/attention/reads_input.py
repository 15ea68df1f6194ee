# status: error
# mistakes:
# says: EOFError
def attention(Q, K, V):
    return input("Q?"), V
