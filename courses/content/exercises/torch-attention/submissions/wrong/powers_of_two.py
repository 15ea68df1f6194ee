import torch


def softmax(x):
    x = torch.exp2(x - x.amax(dim=-1, keepdim=True))
    return x / x.sum(dim=-1, keepdim=True)


def attention(q, k, v, is_causal=False):
    n, m = q.size(-2), k.size(-2)
    logits = torch.einsum("...id,...jd->...ij", q, k) * q.size(-1) ** -0.5
    if is_causal:
        past = torch.tril(torch.ones(n, m, device=q.device)).bool()
        logits = logits.where(past, -torch.inf)
    return torch.einsum("...ij,...jd->...id", softmax(logits), v)
