import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx, x):
        e = (x - x.amax(-1, keepdim=True)).exp()
        p = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (p * g).sum(-1, keepdim=True))


def attention(q, k, v, is_causal=False):
    x = q @ torch.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
    if is_causal:
        x = x + x.new_full(x.shape[-2:], -torch.inf).triu(1)
    return Softmax.apply(x) @ v
