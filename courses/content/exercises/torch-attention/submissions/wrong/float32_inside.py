import math

import torch


def attention(q, k, v, is_causal=False):
    dtype = q.dtype
    q, k, v = q.float(), k.float(), v.float()
    scores = q @ k.transpose(-2, -1)
    scores = scores / math.sqrt(q.shape[-1])
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).to(dtype)
