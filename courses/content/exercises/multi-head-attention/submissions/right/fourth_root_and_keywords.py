import numpy as np


def attention(*, query, key, value, hidden):
    root = query.shape[-1] ** 0.25
    scores = np.matmul(query / root, np.swapaxes(key / root, -2, -1))
    scores = scores + hidden
    weights = np.exp(scores - np.amax(scores, -1, keepdims=True))
    return np.divide(weights, weights.sum(-1, keepdims=True)) @ value


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    tokens = x.shape[-2]
    hidden = np.zeros((tokens, tokens))
    if causal:
        hidden[np.triu_indices(tokens, 1)] = np.finfo(float).min
    split = [np.array_split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv)]
    heads = [attention(query=q, key=k, value=v, hidden=hidden) for q, k, v in zip(*split)]
    return np.concatenate(heads, axis=-1).dot(Wo)
