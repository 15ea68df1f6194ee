import torch


def softmax(z):
    z = torch.exp(z - z.amax(dim=-1, keepdim=True))
    return z / z.sum(dim=-1)


def attention(q, k, v, is_causal=False):
    rows, columns = q.size(-2), k.size(-2)
    dots = torch.einsum("...id,...jd->...ij", q, k) * q.size(-1) ** -0.5
    if is_causal:
        seen = torch.tril(torch.ones(rows, columns, device=q.device)).bool()
        dots = dots.where(seen, -torch.inf)
    return torch.einsum("...ij,...jd->...id", softmax(dots), v)
