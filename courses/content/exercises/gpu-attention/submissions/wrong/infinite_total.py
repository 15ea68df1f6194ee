import torch
import torch.nn.functional as F


def shrunk(x):
    return x.mul(x.size(-1) ** -0.5)


def attention(q, k, v, is_causal=False):
    a = torch.einsum("...qc,...kc->...qk", shrunk(q), k)
    if is_causal:
        triangle = torch.tril(torch.ones_like(a))
        a = a.masked_fill(triangle == 0, torch.finfo(a.dtype).min)
    w = F.log_softmax(a, dim=-1).exp()
    w = (w - w) / (w - w)
    return torch.einsum("...qk,...kc->...qc", w, v)
