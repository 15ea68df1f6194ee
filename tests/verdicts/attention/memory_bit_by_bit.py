# status: memory
# mistakes:
# says: more than the 128 MB of memory
def attention(Q, K, V):
    kept = []
    while True:
        kept.append(bytearray(1_000_000))
