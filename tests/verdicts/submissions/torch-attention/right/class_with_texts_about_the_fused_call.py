import torch
class Attention:
    """nn.MultiheadAttention without the fused call."""
    flex_attention = "no"
    def __repr__(self):
        return f"Attention(instead of nn.MultiheadAttention, {self.flex_attention})"
    def __call__(self, q, k, v, is_causal=False):
        assert q.dim() >= 2, "like scaled_dot_product_attention, at least two axes"
        w = q @ k.mT / q.shape[-1] ** .5
        if is_causal: w = w.masked_fill(torch.ones_like(w, dtype=torch.bool).triu(1), -torch.inf)
        return w.softmax(-1) @ v
attention = Attention()
