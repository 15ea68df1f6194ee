import torch
def attention(q, k, v, is_causal=False):
    # key after key, the running three of each row
    up = torch.promote_types(q.dtype, torch.float32)
    Q, K, V = (x.to(up) for x in (q, k, v))
    shape = q.shape[:-1] + (1,)
    m = torch.full(shape, -torch.inf, dtype=up, device=q.device)
    l = torch.zeros(shape, dtype=up, device=q.device)
    o = torch.zeros(q.shape[:-1] + (v.shape[-1],), dtype=up, device=q.device)
    rows = torch.arange(q.shape[-2], device=q.device).unsqueeze(-1)
    for j in range(k.shape[-2]):
        s = (Q * K[..., j:j+1, :]).sum(-1, keepdim=True) / q.shape[-1] ** .5
        if is_causal:
            s = torch.where(rows >= j, s, -torch.inf)
        new = torch.maximum(m, s)
        a, p = torch.exp(m - new), torch.exp(s - new)
        l, o, m = l * a + p, o * a + p * V[..., j:j+1, :], new
    return (o / l).to(q.dtype)
