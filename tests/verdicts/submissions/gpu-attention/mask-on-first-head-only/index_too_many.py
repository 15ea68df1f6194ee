import math

import torch


def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        tokens = scores.shape[-1]
        future = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool, device=q.device), diagonal=1)
        scores[:, 0] = scores[:, 0].masked_fill(future, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
