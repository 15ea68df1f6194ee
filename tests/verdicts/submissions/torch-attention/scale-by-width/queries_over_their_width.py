# mistakes: scale-by-width, scaled-twice
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal

    def similarities(self, queries, keys):
        return torch.matmul(queries / queries.size(-1), keys.transpose(-1, -2))

    def visible(self, sim):
        rows, columns = (torch.arange(n, device=sim.device) for n in sim.shape[-2:])
        return columns <= rows[:, None]

    def forward(self, queries, keys, values):
        sim = self.similarities(queries, keys)
        if self.causal:
            sim = torch.where(self.visible(sim), sim, float("-inf"))
        attn = sim.softmax(dim=-1)
        return torch.matmul(attn, values)


def attention(q, k, v, is_causal=False):
    return Attention(is_causal)(q, k, v)
