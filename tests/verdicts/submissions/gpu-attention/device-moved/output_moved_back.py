import torch


def attention(q, k, v, is_causal=False):
    scores = torch.matmul(q, k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    if is_causal:
        rows, columns = scores.shape[-2:]
        future = torch.arange(columns, device=q.device) > torch.arange(rows, device=q.device)[:, None]
        scores = scores.masked_fill(future, float("-inf"))
    return (scores.softmax(-1) @ v).cpu()
