import numpy as np


def attention(Q, K, V):
    half = max(1, len(K) // 2)
    blocks = [(K[:half], V[:half])] + ([(K[half:], V[half:])] if len(K) > half else [])
    scores = [Q @ k.T / np.sqrt(Q.shape[1]) for k, _ in blocks]
    top = np.max([s.max(axis=1) for s in scores], axis=0)[:, None]
    powers = [np.exp(s - top) for s in scores]
    total = sum(p.sum(axis=1, keepdims=True) for p in powers)
    output = sum(p @ v for p, (_, v) in zip(powers, blocks)) / total
    return output, np.hstack(powers) / total
