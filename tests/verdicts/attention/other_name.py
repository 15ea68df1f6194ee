# status: error
# mistakes:
# says: defines no function attention
def Attention(Q, K, V):
    return V, Q
