import math

import torch


class WrittenOut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, is_causal):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if is_causal:
            scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
        weights = scores.softmax(dim=-1)
        ctx.save_for_backward(q, k, v, weights)
        return weights @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights = ctx.saved_tensors
        by_weights = grad @ v.mT
        by_scores = weights * (by_weights - (weights * by_weights).sum(dim=-1, keepdim=True))
        by_scores = by_scores / math.sqrt(q.shape[-1])
        return by_scores @ k, by_scores.mT @ q, weights.mT @ grad, None


def attention(q, k, v, is_causal=False):
    return WrittenOut.apply(q, k, v, is_causal)
