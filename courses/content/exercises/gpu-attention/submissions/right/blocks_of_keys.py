import torch


def attention(q, k, v, is_causal=False):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    top = scores[..., :1].detach()
    total, blend = torch.zeros_like(top), torch.zeros_like(top @ v[..., :1, :])
    for part, values in zip(scores.split(4, dim=-1), v.split(4, dim=-2)):
        new = torch.maximum(top, part.detach().amax(-1, keepdim=True))
        shares = (part - new).exp()
        total = total * (top - new).exp() + shares.sum(-1, keepdim=True)
        blend = blend * (top - new).exp() + shares @ values
        top = new
    return blend / total
