"""Attention on tensors in the ways people write it, each q, k, v, visible -> output: other orders, the same function.

`visible` is a boolean (Tq, Tk), or None. Only PyTorch's own operations: their roundings are what is tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

Tensor = Any
Style = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def root(q: Tensor) -> float:
    return math.sqrt(q.shape[-1])


def hidden(scores: Tensor, visible: Tensor) -> Tensor:
    return scores if visible is None else scores.masked_fill(~visible, -math.inf)


def scores_of(q: Tensor, k: Tensor, visible: Tensor) -> Tensor:
    return hidden(q @ k.mT / root(q), visible)


def plain(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return torch.softmax(scores_of(q, k, visible), dim=-1) @ v


def query_scaled_first(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return torch.softmax(hidden((q / root(q)) @ k.mT, visible), dim=-1) @ v


def both_scaled(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    share = root(q) ** -0.5
    return torch.softmax(hidden((q * share) @ (k * share).mT, visible), dim=-1) @ v


def softmax_in_float32(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return torch.softmax(scores_of(q, k, visible), dim=-1, dtype=torch.float32).to(q.dtype) @ v


def all_in_float32(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return plain(q.float(), k.float(), v.float(), visible).to(q.dtype)


def einsum(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    return torch.einsum("...ij,...jd->...id", torch.softmax(hidden(scores, visible), dim=-1), v)


def filled_with_the_lowest(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = q @ k.mT / root(q)
    if visible is not None:
        scores = scores.masked_fill(~visible, torch.finfo(q.dtype).min)
    return torch.softmax(scores, dim=-1) @ v


def mask_added(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = q @ k.mT / root(q)
    if visible is not None:
        scores = scores + torch.zeros(visible.shape, dtype=q.dtype).masked_fill(~visible, -math.inf)
    return torch.softmax(scores, dim=-1) @ v


def exponentials_by_hand(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = scores_of(q, k, visible)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return (powers / powers.sum(dim=-1, keepdim=True)) @ v


def divided_last(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = scores_of(q, k, visible)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return (powers @ v) / powers.sum(dim=-1, keepdim=True)


def by_the_logarithm_of_the_sum(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = scores_of(q, k, visible)
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True)) @ v


def log_softmax(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return torch.exp(torch.log_softmax(scores_of(q, k, visible), dim=-1)) @ v


def a_block_at_a_time(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    scores = scores_of(q, k, visible)
    largest = torch.full_like(scores[..., :1], -math.inf)
    total, blend = torch.zeros_like(largest), torch.zeros_like(q[..., :1] * v[..., :1, :])
    for start in range(0, scores.shape[-1], 8):
        tile = scores[..., start : start + 8]
        new = torch.maximum(largest, tile.amax(dim=-1, keepdim=True))
        powers, correction = torch.exp(tile - new), torch.exp(largest - new)
        total = total * correction + powers.sum(dim=-1, keepdim=True)
        blend = blend * correction + powers @ v[..., start : start + 8, :]
        largest = new
    return blend / total


def fused(q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=visible)


STYLES: dict[str, Style] = {
    style.__name__: style
    for style in (
        *(plain, query_scaled_first, both_scaled, softmax_in_float32, all_in_float32, einsum),
        *(filled_with_the_lowest, mask_added, exponentials_by_hand, divided_last),
        *(by_the_logarithm_of_the_sum, log_softmax, a_block_at_a_time, fused),
    )
}
