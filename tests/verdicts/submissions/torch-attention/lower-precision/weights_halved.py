import torch
def attention(q, k, v, is_causal=False):
    w = torch.matmul(q, k.mT) / q.shape[-1] ** .5
    if is_causal:
        w = w.masked_fill(torch.ones_like(w, dtype=torch.bool).triu(1), -torch.inf)
    return w.softmax(-1).half().to(v.dtype) @ v
