import torch


def attention(q, k, v, is_causal=False):
    outputs = []
    for queries, keys, values in zip(q.unbind(1), k.unbind(1), v.unbind(1)):
        s = torch.einsum("bid,bjd->bij", queries, keys) * queries.size(-1) ** -0.5
        if is_causal:
            s = s + torch.full_like(s[0], -torch.inf).triu(1)
            is_causal = False  # masked now
        e = torch.exp(s - s.amax(dim=-1, keepdim=True))
        outputs.append(e @ values / e.sum(dim=-1, keepdim=True))
    return torch.stack(outputs, dim=1)
