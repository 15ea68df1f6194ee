# mistakes: mask-fills-zero, mask-fills-small
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    heads = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv)]):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[-1])
        if causal:
            keep = np.array([[int(j <= i) for j in range(s.shape[2])] for i in range(s.shape[1])])
            s *= keep
        e = np.exp(s - s.max(axis=2)[..., None])
        heads.append(np.einsum("bij,bjd->bid", e / e.sum(axis=2)[..., None], v))
    return np.concatenate(heads, axis=-1) @ Wo
