import torch
def attention(q, k, v, is_causal=False):
    # softmax by differences: w_ij = 1 / sum_l exp(s_il - s_ij)
    up = torch.promote_types(q.dtype, torch.float32)
    s = q.to(up) @ k.to(up).mT / q.shape[-1] ** 0.5
    if is_causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), torch.finfo(up).min / 4)
    d = s.unsqueeze(-2) - s.unsqueeze(-1)
    w = 1 / torch.exp(d.clamp(max=700.0 if up == torch.float64 else 80.0)).sum(-1)
    return (w @ v.to(up)).to(q.dtype)
