import numpy as np


from math import sqrt


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    sentences = []
    for sentence in x:
        heads = []
        for q, k, v in zip(*(np.hsplit(sentence @ W, num_heads) for W in (Wq, Wk, Wv))):
            s = q @ k.T / sqrt(len(q))
            if causal:
                s[np.triu_indices(len(s), 1)] = -np.inf
            heads.append(np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None]) @ v)
        sentences.append(np.hstack(heads) @ Wo)
    return np.array(sentences)
