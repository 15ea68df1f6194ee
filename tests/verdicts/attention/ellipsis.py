# status: failed
# mistakes: not-an-array
# says: returned None
def attention(Q, K, V):
    ...
