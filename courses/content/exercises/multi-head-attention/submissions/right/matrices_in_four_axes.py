import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    D = x.shape[-1]
    Wq, Wk, Wv = (W.reshape(D, num_heads, -1) for W in (Wq, Wk, Wv))
    q = np.einsum("btm,mhc->hbtc", x, Wq)
    k = np.einsum("btm,mhc->hbtc", x, Wk)
    v = np.einsum("btm,mhc->hbtc", x, Wv)
    logits = np.einsum("hbic,hbjc->hbij", q, k) / q.shape[-1] ** 0.5
    T = x.shape[1]
    allowed = np.tri(T, dtype=bool) if causal else np.ones((T, T), dtype=bool)
    highest = np.max(logits, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    shares = np.exp(np.where(allowed, logits - highest, -np.inf))
    shares = shares / np.einsum("hbij->hbi", shares)[..., None]
    return np.einsum("hbij,hbjc,hcm->bim", shares, v, Wo.reshape(num_heads, -1, D))
