import torch
from torch import nn


class Head(nn.Module):
    def weights(self, q, k, is_causal):
        s = torch.einsum("...td,...sd->...ts", q, k) / q.shape[-1] ** 0.5
        if is_causal:
            t, u = s.shape[-2:]
            s = s.masked_fill(torch.arange(u, device=s.device) > torch.arange(t, device=s.device)[:, None], -torch.inf)
        return torch.softmax(s, dim=-1)

    def forward(self, q, k, v, is_causal=False):
        return self.weights(q.double(), k.double(), is_causal) @ v.double()


head = Head().eval()


def attention(q, k, v, is_causal=False):
    return head(q, k, v, is_causal).to(dtype=q.dtype)
