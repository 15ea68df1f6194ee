# status: failed
# mistakes: not-an-array
# says: a string
def attention(Q, K, V):
    return "weights"
