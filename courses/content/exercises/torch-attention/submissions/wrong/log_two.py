import math

import torch


def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1)
    scores = scores / math.sqrt(q.shape[-1])
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores * math.log(2), dim=-1)
    return weights @ v
