# status: error
# mistakes:
# says: attention(Q, K, V) was called with 3 arguments, yours is attention()
def attention():
    return 1, 2
