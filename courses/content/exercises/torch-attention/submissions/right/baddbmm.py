import torch


def attention(q, k, v, is_causal=False):
    *front, n, d = q.shape
    m = k.shape[-2]
    a, b, c = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    bias = torch.zeros(n, m, dtype=q.dtype, device=q.device)
    if is_causal:
        bias = bias.masked_fill(torch.ones(n, m, device=q.device).triu(1) > 0, -torch.inf)
    scores = torch.baddbmm(bias, a, b.mT, alpha=d**-0.5)
    return torch.bmm(scores.softmax(dim=-1), c).reshape(*front, n, v.shape[-1])
