# status: error
# mistakes:
# says: AssertionError at line 8: my own test
def attention(Q, K, V):
    return V, Q


assert attention(1, 2, 3) == 4, "my own test"
