import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    def one_head(q, k, v):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[2])
        if causal:
            s = np.where(np.arange(s.shape[2]) <= np.arange(s.shape[1])[:, None], s, -np.inf)
        p = np.exp(s - s.max(axis=2, keepdims=True))
        return np.einsum("bij,bjd->bid", p / p.sum(axis=2, keepdims=True), v)

    split = lambda y: np.array_split(y, num_heads, axis=2)
    return np.dstack([one_head(*qkv) for qkv in zip(split(x @ Wq), split(x @ Wk), split(x @ Wv))])
