import torch


def attention(q, k, v, is_causal=False):
    *leading, queries, width = q.shape
    tokens = k.shape[-2]
    qq, kk, vv = (x.reshape(-1, x.shape[-2], x.shape[-1]) for x in (q, k, v))
    scores = torch.bmm(qq, kk.permute(0, 2, 1)) * width**-0.5
    if is_causal:
        scores = scores + torch.full((queries, tokens), float("-inf"), dtype=scores.dtype, device=scores.device).triu(1)
    powers = (scores - scores.detach().amax(2, keepdim=True)).exp()
    powers = powers * powers
    out = torch.bmm(powers, vv) / powers.sum(2, keepdim=True)
    return out.reshape(*leading, queries, v.shape[-1])
