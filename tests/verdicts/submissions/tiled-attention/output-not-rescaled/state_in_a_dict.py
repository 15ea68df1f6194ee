import numpy as np


def update(state, s, v):
    old = state["max"]
    state["max"] = np.maximum(old, s.max(axis=1, keepdims=True))
    p = np.exp(s - state["max"])
    state["sum"] = state["sum"] * np.exp(old - state["max"]) + p.sum(axis=1, keepdims=True)
    state["out"] = state["out"] + p @ v


def tiled_attention(Q, K, V, block_size, causal=False):
    blocks = []
    for a in range(0, len(Q), block_size):
        q = Q[a : a + block_size]
        state = {"max": np.full((len(q), 1), -np.inf), "sum": 0.0, "out": 0.0}
        for b in range(0, len(K), block_size):
            if causal and b > a:
                break
            s = q @ K[b : b + block_size].T / np.sqrt(q.shape[1])
            if causal and a == b:
                s = s + np.triu(np.full(s.shape, -np.inf), 1)
            update(state, s, V[b : b + block_size])
        blocks.append(state["out"] / state["sum"])
    return np.vstack(blocks)
