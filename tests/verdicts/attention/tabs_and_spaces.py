# status: error
# mistakes:
# says: TabError
def attention(Q, K, V):
	x = 1
        y = 2
    return V, Q
