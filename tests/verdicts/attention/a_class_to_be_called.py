# status: error
# mistakes:
# says: yours is attention(Q, K)
class attention:
    def __init__(self, Q, K):
        self.Q, self.K = Q, K
