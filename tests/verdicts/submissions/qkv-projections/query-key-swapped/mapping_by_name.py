# mistakes: query-key-swapped, results-swapped
# keep the three linear maps in one place
import numpy as np


def project(x, Wq, Wk, Wv):
    maps = {"key": Wq, "query": Wk, "value": Wv}
    made = {role: np.dot(x, matrix) for role, matrix in maps.items()}
    return made["query"], made["key"], made["value"]
