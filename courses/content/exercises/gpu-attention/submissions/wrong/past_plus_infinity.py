import torch
import torch.nn.functional as F


def shrunk(x):
    return x.mul(x.size(-1) ** -0.5)


def attention(q, k, v, is_causal=False):
    a = torch.einsum("...qc,...kc->...qk", shrunk(q), k)
    if is_causal:
        triangle = torch.tril(torch.ones_like(a))
        a = a * triangle + (1 - triangle) * float("-inf")
    w = F.log_softmax(a, dim=-1).exp()
    return torch.einsum("...qk,...kc->...qc", w, v)
