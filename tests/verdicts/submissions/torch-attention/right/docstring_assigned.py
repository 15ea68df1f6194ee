import torch
def attention(q, k, v, is_causal=False):
    w = q @ k.mT / q.shape[-1] ** .5
    if is_causal: w = w.masked_fill(torch.ones_like(w, dtype=torch.bool).triu(1), -torch.inf)
    return w.softmax(-1) @ v
attention.__doc__ = """Attention as in scaled_dot_product_attention, written out.

>>> attention(q, k, v)  # like F.scaled_dot_product_attention(q, k, v)
"""
