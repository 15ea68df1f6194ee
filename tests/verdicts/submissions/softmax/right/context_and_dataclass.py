from dataclasses import dataclass

import numpy as np


@dataclass
class Row:
    values: np.ndarray

    def shares(self):
        seen = np.isfinite(self.values)
        out = np.zeros(self.values.shape)
        if seen.any():
            v = self.values[seen]
            v = np.exp(v - v.max())
            out[seen] = v / v.sum()
        return out


def softmax(scores):
    if scores.ndim == 1:
        return Row(scores).shares()
    return np.stack([softmax(s) for s in scores])
