# status: timeout
# mistakes:
def attention(Q, K, V):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
