import torch

NEGATIVE_INFINITY = float("-inf")


def attention(q, k, v, is_causal=False):
    logits = (q / q.shape[-1] ** 0.5).matmul(k.transpose(-2, -1))
    if is_causal:
        rows = torch.arange(q.shape[-2], device=logits.device).unsqueeze(-1)
        columns = torch.arange(k.shape[-2], device=logits.device).unsqueeze(0)
        logits = torch.where(columns > rows, NEGATIVE_INFINITY, logits)
    weights = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return weights.matmul(v)
