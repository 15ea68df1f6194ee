from __future__ import annotations

import numpy as np


def project(x: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray) -> tuple[np.ndarray, ...]:
    print("x", x.shape, "Wq", Wq.shape)
    out = tuple(x.dot(w) for w in (Wq, Wk, Wv))
    print([o.shape for o in out])
    return out


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    project(rng.normal(size=(4, 3)), *rng.normal(size=(3, 3, 2)))
