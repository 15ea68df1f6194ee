# status: crashed
# mistakes:
import os


def attention(Q, K, V):
    os.abort()
