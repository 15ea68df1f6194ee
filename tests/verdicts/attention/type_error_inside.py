# status: error
# mistakes:
# says: raised an exception at line 5: ufunc
def attention(Q, K, V):
    return Q + "K", V
