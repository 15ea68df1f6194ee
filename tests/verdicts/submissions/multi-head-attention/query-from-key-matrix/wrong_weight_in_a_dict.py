import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    W = {"q": Wk, "k": Wk, "v": Wv}
    heads = []
    d = x.shape[-1] // num_heads
    for h in range(num_heads):
        part = {n: x @ w[:, h * d : (h + 1) * d] for n, w in W.items()}
        s = part["q"] @ np.moveaxis(part["k"], 1, 2) / d**0.5
        if causal:
            s = np.where(np.arange(s.shape[1])[:, None] >= np.arange(s.shape[2]), s, -np.inf)
        e = np.exp(s - s.max(axis=2)[:, :, None])
        heads.append((e / e.sum(axis=2)[:, :, None]) @ part["v"])
    return np.concatenate(heads, -1) @ Wo
