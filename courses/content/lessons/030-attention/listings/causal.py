import numpy as np

np.set_printoptions(precision=2, floatmode="fixed")

T = 4
scores = np.zeros((T, T))  # nobody prefers anybody

# True above the diagonal
future = np.triu(np.ones((T, T), dtype=bool), k=1)
masked = np.where(future, -np.inf, scores)

exponentials = np.exp(masked - masked.max(axis=-1, keepdims=True))
weights = exponentials / exponentials.sum(axis=-1, keepdims=True)

print(weights)
