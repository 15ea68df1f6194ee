# status: output
# mistakes:
# says: printed more than
def attention(Q, K, V):
    while True:
        print("still here")
