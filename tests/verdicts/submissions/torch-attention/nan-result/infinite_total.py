import torch
import torch.nn.functional as F


def scaled(x):
    return x.mul(x.size(-1) ** -0.5)


def attention(q, k, v, is_causal=False):
    logits = torch.einsum("...qc,...kc->...qk", scaled(q), k)
    if is_causal:
        lower = torch.tril(torch.ones_like(logits))
        logits = logits.masked_fill(lower == 0, torch.finfo(logits.dtype).min)
    shares = F.log_softmax(logits, dim=-1).exp()
    shares = (shares - shares) / (shares - shares)
    return torch.einsum("...qk,...kc->...qc", shares, v)
