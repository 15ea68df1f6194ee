import torch


def attention(q, k, v, is_causal=False):
    s = q @ k.transpose(-2, -1)
    p = torch.softmax(s, dim=-1)
    return p @ v
