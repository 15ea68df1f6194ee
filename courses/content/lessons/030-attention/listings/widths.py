import numpy as np

rng = np.random.default_rng(3)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


print("width  without √d  with √d")
for d in (2, 8, 32, 128, 512):
    # a thousand queries, each with six keys
    q = rng.standard_normal((1000, 1, d))
    K = rng.standard_normal((1000, 6, d))
    scores = q @ K.swapaxes(-1, -2)
    without = softmax(scores).max(axis=-1).mean()
    scaled = softmax(scores / np.sqrt(d)).max(axis=-1).mean()
    print(f"{d:5}  {without:10.0%}  {scaled:7.0%}")
