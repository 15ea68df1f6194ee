# status: timeout
# mistakes:
# says: had not finished
def attention(Q, K, V):
    return sum(range(10**12)), V
