import torch
from torch import nn
def attention(q, k, v, is_causal=False):
    w = torch.matmul(q, k.transpose(2, 3) if q.dim() == 4 else k.mT) / q.shape[-1] ** 0.5
    if is_causal:
        w = w + torch.full(w.shape[-2:], torch.finfo(w.dtype).min, dtype=w.dtype, device=w.device).triu(1)
    w = nn.functional.softmax(w, dim=-1, dtype=torch.float32).to(q.dtype)
    return torch.matmul(w, v)
