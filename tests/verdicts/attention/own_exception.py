# status: error
# mistakes:
# says: raised an exception that Python does not define at line 10
# hides: Q starts with
class Odd(Exception):
    pass


def attention(Q, K, V):
    raise Odd(f"Q starts with {Q[0, 0]!r}")
