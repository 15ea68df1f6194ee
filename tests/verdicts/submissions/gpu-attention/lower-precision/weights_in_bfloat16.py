import torch
def attention(q, k, v, is_causal=False):
    s = torch.einsum('...id,...jd->...ij', q, k) * q.shape[-1] ** -0.5
    if is_causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
    p = torch.softmax(s, -1).to(torch.bfloat16)
    return torch.einsum('...ij,...jv->...iv', p.to(v.dtype), v)
