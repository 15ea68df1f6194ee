import math

import torch


def attention(q, k, v, is_causal=False):
    s = q @ k.transpose(-2, -1)
    s = s / math.sqrt(q.shape[-1])
    if is_causal:
        future = torch.ones(s.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        s = s.masked_fill(future, float("-inf"))
    p = torch.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return p @ v
