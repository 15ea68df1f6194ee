import numpy as np


class Scores:
    """Dot products of queries and keys."""

    def __init__(self, queries, keys):
        self.table = np.inner(queries, keys)
        self.width = queries.shape[1]

    def scaled(self):
        return Scores.divide(self.table, self.width)

    @staticmethod
    def divide(table, width):
        return table / width**0.5


def scaled_scores(Q, K):
    s = Scores(Q, K)
    return s.table
