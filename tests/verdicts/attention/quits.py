# status: crashed
# mistakes:
# says: ended the process
def attention(Q, K, V):
    raise SystemExit
