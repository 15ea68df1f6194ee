import math

import torch


def attention(q, k, v, is_causal=False):
    """The mask is made where q is, and -inf is a number of every precision."""
    B, H, T, d = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if is_causal:
        future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(future, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
