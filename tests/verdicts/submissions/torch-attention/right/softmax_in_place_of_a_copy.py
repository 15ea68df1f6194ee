import torch


def attention(q, k, v, is_causal=False):
    s = torch.matmul(q, k.mT) * (1 / q.shape[-1] ** 0.5)
    if is_causal:
        hide = torch.ones(s.shape[-2], s.shape[-1], dtype=torch.bool, device=s.device)
        s[..., hide.triu(1)] = -torch.inf
    p = torch.exp(s - torch.amax(s, -1, True).detach())
    p = p / torch.sum(p, -1, True)
    return torch.matmul(p, v)
