import torch


def attention(q, k, v, is_causal=False):
    *leading, queries, _ = q.shape
    keys = k.shape[-2]
    a, b, c = (x.reshape(-1, x.shape[-2], x.shape[-1]) for x in (q, k, v))
    s = torch.bmm(a, b.permute(0, 2, 1))
    if is_causal:
        s = s + torch.full((queries, keys), float("-inf"), dtype=s.dtype, device=s.device).triu(1)
    e = (s - s.detach().amax(2, keepdim=True)).exp()
    o = torch.bmm(e, c) / e.sum(2, keepdim=True)
    return o.reshape(*leading, queries, v.shape[-1])
