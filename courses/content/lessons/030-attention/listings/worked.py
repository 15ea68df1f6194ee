import numpy as np

np.set_printoptions(precision=2, floatmode="fixed")

x = np.array([[1, 0, 0],   # the
              [0, 1, 0],   # cat
              [0, 1, 1],   # sat
              [0, 0, 1]])  # down
Wq = np.array([[0, 1], [1, 0], [0, 1]])
Wk = np.array([[1, 0], [1, 1], [0, 1]])
Wv = np.array([[1, 0], [0, 1], [1, 1]])

Q, K, V = x @ Wq, x @ Wk, x @ Wv

scores = Q @ K.T / np.sqrt(Q.shape[-1])
exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
output = weights @ V

print("Q", Q, "K", K, "V", V, sep="\n")
print("weights", weights, sep="\n")
print("output", output, sep="\n")
