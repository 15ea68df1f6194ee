# status: error
# mistakes:
# says: at line 10
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def attention(Q, K, V):
    raise Odd
