import numpy as np


def scaled_scores(queries, keys):
    width = queries.shape[1]
    keys_as_columns = np.moveaxis(keys, 0, 1)
    return (queries @ keys_as_columns) * float(width) ** -0.5
