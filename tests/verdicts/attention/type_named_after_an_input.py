# status: failed
# mistakes: not-an-array
# says: an object of another type
def attention(Q, K, V):
    return type(f"Q0_{Q[0, 0]}", (), {})()
