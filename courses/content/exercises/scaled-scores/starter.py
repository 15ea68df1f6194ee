import numpy as np


def scaled_scores(Q, K):
    """Score every query against every key.

    Q  (Tq, d)  one query per row
    K  (Tk, d)  one key per row

    Returns scores (Tq, Tk): dot products over √d.
    """
    scores = ...
    return scores
