# status: error
# mistakes:
# says: KeyboardInterrupt at line 5
def attention(Q, K, V):
    raise KeyboardInterrupt
