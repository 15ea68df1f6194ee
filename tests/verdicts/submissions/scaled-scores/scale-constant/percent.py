import numpy as np


def scaled_scores(Q, K):
    table = []
    for q in Q:
        row = []
        for k in K:
            row.append(float(np.dot(q, k)) * 0.577)  # 1/sqrt(3)
        table.append(row)
    return np.array(table)
