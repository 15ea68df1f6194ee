import math

import torch


def attention(q, k, v):
    s = q @ k.transpose(-2, -1)
    s = s / math.sqrt(q.shape[-1])
    p = torch.softmax(s, dim=-1)
    return p @ v
