import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    batch, tokens, model = x.shape

    def split(y):
        return y.reshape(batch, tokens, num_heads, model // num_heads).transpose(0, 2, 1, 3)

    Q, V = split(x @ Wq), split(x @ Wv)
    S = Q @ Q.transpose(0, 1, 3, 2)
    S /= np.sqrt(model // num_heads)
    if causal:
        S[:, :, *np.triu_indices(tokens, 1)] = -np.inf
    P = np.exp(S - S.max(-1)[..., None])
    P /= P.sum(-1)[..., None]
    return (P @ V).transpose(0, 2, 1, 3).reshape(batch, tokens, model) @ Wo
