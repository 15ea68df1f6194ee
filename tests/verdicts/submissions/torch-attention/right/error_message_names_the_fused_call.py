import torch
NOTE = "written out; I do not call scaled_dot_product_attention"
def attention(q, k, v, is_causal=False):
    if q.shape[-1] != k.shape[-1]:
        raise ValueError("scaled_dot_product_attention wants equal widths")
    w = q @ k.mT / q.shape[-1] ** 0.5
    if is_causal:
        w = w.masked_fill(torch.ones_like(w, dtype=torch.bool).triu(1), float("-inf"))
    return torch.softmax(w, -1) @ v
