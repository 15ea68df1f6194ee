# status: timeout
# mistakes:
# says: had not finished after 1 seconds
def attention(Q, K, V):
    while True:
        pass
