# status: output
# mistakes:
# says: printed more than 1,000,000 bytes
def attention(Q, K, V):
    for _ in range(50):
        print("x" * 1_000_000)
    return Q, V
