import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal

    def scores_of(self, queries, keys):
        return torch.matmul(queries / queries.size(-1) ** 0.5, keys.transpose(-1, -2))

    def allowed(self, scores):
        rows, columns = (torch.arange(n, device=scores.device) for n in scores.shape[-2:])
        return columns <= rows[:, None] + 1

    def forward(self, queries, keys, values):
        scores = self.scores_of(queries, keys)
        if self.causal:
            scores = torch.where(self.allowed(scores), scores, float("-inf"))
        weights = scores.softmax(dim=-1)
        return torch.matmul(weights, values)


def attention(q, k, v, is_causal=False):
    return Heads(is_causal)(q, k, v)
