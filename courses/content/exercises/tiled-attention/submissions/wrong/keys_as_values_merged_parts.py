import numpy as np


def part(q, k, v, rows, columns, causal):
    s = np.dot(q, k.T) / k.shape[1] ** 0.5
    if causal:
        s = s + np.where(columns[None, :] > rows[:, None], -np.inf, 0.0)
    top = s.max(axis=1)
    e = np.exp(s - top[:, None])
    return top, e.sum(axis=1), e @ v


def merged(one, two):
    top = np.maximum(one[0], two[0])
    f, g = np.exp(one[0] - top), np.exp(two[0] - top)
    return top, one[1] * f + two[1] * g, one[2] * f[:, None] + two[2] * g[:, None]


def tiled_attention(Q, K, V, block_size, causal=False):
    places, rows = np.arange(len(Q)), []
    for i in range(0, len(Q), block_size):
        r, state = places[i:i + block_size], None
        for j in range(0, r[-1] + 1 if causal else len(K), block_size):
            c = places[j:j + block_size]
            new = part(Q[r], K[c], K[c], r, c, causal)
            state = new if state is None else merged(state, new)
        rows.append(state[2] / state[1][:, None])
    return np.concatenate(rows)
