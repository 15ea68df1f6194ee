# status: timeout
# mistakes:
# says: had not finished after 1 seconds
import time


def attention(Q, K, V):
    time.sleep(3600)
