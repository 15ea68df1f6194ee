import math

import torch


def head(q, k, v, hidden):
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(2))
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.bmm(scores.softmax(dim=2), v)


def attention(q, k, v, is_causal=False):
    tokens = q.size(2)
    hidden = torch.ones(tokens, tokens, device=q.device).triu(1).bool() if is_causal else None
    return torch.stack([head(q[:, h], k[:, h], v[:, h], hidden) for h in range(q.size(1))])
