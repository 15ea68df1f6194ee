import math

import torch


def attention(q, k, v, is_causal=False):
    """The future is hidden before the softmax; nothing leaves PyTorch, q's dtype or q's device."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        Tq, Tk = scores.shape[-2:]
        future = torch.ones(Tq, Tk, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(future, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
