import torch
from torch.utils.checkpoint import checkpoint
def inner(q, k, v, hide):
    w = q @ k.mT / q.shape[-1] ** 0.5
    if hide:
        w = w.masked_fill(torch.ones_like(w, dtype=torch.bool).triu(1), float("-inf"))
    return torch.softmax(w, -1) @ v
def attention(q, k, v, is_causal=False):
    return checkpoint(inner, q, k, v, is_causal, use_reentrant=False)
