"""Attention on PyTorch's tensors: written out, and by PyTorch's own fused call; on a CPU or a GPU, in any precision.

Needs torch, so `attention_core` itself does not import it. No GPU is touched before a function is called with tensors
that lie there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from attention_core.arguments import FloatArray, as_lengths, as_number, require_broadcastable
from attention_core.masks import Alignment
from attention_core.precision import Precision, round_to

DTYPES = {"float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
WHOLE = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def written_out(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    causal: Alignment | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    key_lengths: Tensor | None = None,
    past_key: Tensor | None = None,
    past_value: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """scaled_dot_product_attention, step by step on tensors.

    S = scale · q kᵀ,  softcap · tanh(S / softcap) if capped,  + mask or -inf where nothing may be seen;
    P = softmax(S) along each row,  O = P v

    float64 is computed in float64, all else in float32 and rounded once, at the end. Gradients flow to q, k, v, the
    past and an additive mask, and are finite (0) where a query sees no key.

    Args:
        q: (..., H, Tq, d); the leading axes may also be missing.
        k: (..., Hkv, Tk, d), of the same dtype and on the same device. All tensors are on that device, but for
            key_lengths, which may be anywhere; all but mask and key_lengths are of that dtype.
        v: (..., Hkv, Tk, dv).
        mask: broadcastable to (..., H, Tq, P + Tk); boolean (True: takes part) or floating point (added, finite or
            -inf, which hides).
        causal, scale, softcap: as in scaled_dot_product_attention.
        key_lengths: whole numbers from 0 to P + Tk, of the shape of the first leading axes: how many keys, past
            included, are real.
        past_key, past_value: (..., Hkv, P, d) and (..., Hkv, P, dv), before k and v.

    Returns:
        The output (..., H, Tq, dv) and the weights (..., H, Tq, P + Tk), of q's dtype, on its device. A query that sees
        no key has weights and output 0.

    Raises:
        TypeError: what should be a tensor is none; q, k, v or the past hold no floating-point numbers or have another
            dtype than q; a mask is neither boolean nor floating point; key_lengths are no whole numbers; scale or
            softcap is no number.
        ValueError: a tensor is empty, has fewer than two axes or is on another device than q; the leading axes and
            tokens of v are not those of k; mask or key_lengths have a shape that does not fit; a number is out of its
            range; causal is none of the three; past_key without past_value or the reverse.
        RuntimeError: of PyTorch, where other shapes do not fit.

    Sources: as scaled_dot_product_attention.
    """
    if (past_key is None) != (past_value is None):
        raise ValueError("past_key and past_value must be given together, got one without the other")
    _require_alike(q, k, v, past_key=past_key, past_value=past_value)
    _require_mask(mask, q)
    past = 0 if past_key is None else past_key.shape[-2]
    keys = k if past_key is None else torch.cat((past_key, k), dim=-2)
    values = v if past_value is None else torch.cat((past_value, v), dim=-2)
    working = torch.float64 if q.dtype == torch.float64 else torch.float32
    queries, keys, values = (each.to(working) for each in (q, _for_query_heads(keys, q), _for_query_heads(values, q)))
    scores = queries @ keys.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else as_number("scale", scale))
    if softcap is not None:
        cap = as_number("softcap", softcap, above=0)
        scores = cap * torch.tanh(scores / cap)
    if mask is not None:
        require_broadcastable("mask", tuple(mask.shape), tuple(scores.shape))
        scores = scores + mask.to(working) if mask.dtype != torch.bool else scores
    visible = visible_keys(q, keys, causal=causal, past=past, key_lengths=_lengths(key_lengths, scores))
    for each in (mask if mask is not None and mask.dtype == torch.bool else None, visible):
        if each is not None:
            scores = scores.masked_fill(~each, -math.inf)
    weights = _shares(scores)
    return (weights @ values).to(q.dtype), weights.to(q.dtype)


def fused(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    causal: Alignment | None = None,
    scale: float | None = None,
) -> Tensor:
    """The same by torch.nn.functional.scaled_dot_product_attention, which chooses a kernel by device, dtype and shapes.

    Where q has a multiple of the heads of k and v, each of these serves neighbouring heads of q.

    Args:
        q, k, v, mask, causal, scale: as of written_out, in one dtype.

    Returns:
        The output (..., H, Tq, dv), of q's dtype, on its device.

    Raises:
        TypeError, ValueError: as written_out.
        RuntimeError: of PyTorch, where shapes do not fit, or for what no kernel takes.

    Source: PyTorch's documentation, torch.nn.functional.scaled_dot_product_attention.
    """
    _require_alike(q, k, v)
    _require_mask(mask, q)
    grouped = q.ndim >= 3 and k.ndim >= 3 and q.shape[-3] != k.shape[-3] and k.shape[-3] != 1
    # is_causal is aligned top-left, and not taken beside a mask.
    plain = mask is None and (causal == "top-left" or q.shape[-2] == k.shape[-2])
    visible = None if causal is None or plain else visible_keys(q, k, causal=causal)
    if visible is not None and mask is not None:
        visible = mask & visible if mask.dtype == torch.bool else mask.masked_fill(~visible, -math.inf)
    output: Tensor = torch.nn.functional.scaled_dot_product_attention(
        *(q, k, v),
        attn_mask=mask if visible is None else visible,
        is_causal=causal is not None and plain,
        scale=None if scale is None else as_number("scale", scale),
        enable_gqa=grouped,
    )
    return output


def visible_keys(
    q: Tensor,
    k: Tensor,
    *,
    causal: Alignment | None = None,
    past: int = 0,
    key_lengths: Tensor | None = None,
) -> Tensor | None:
    """True where neither causality nor padding hides a key; None where all are visible.

    Args:
        q: (..., Tq, d).
        k: (..., P + Tk, d), past keys included.
        causal: None, "top-left" or "bottom-right".
        past: P, how many of the keys stand before the new ones.
        key_lengths: as of written_out.

    Returns:
        (Tq, P + Tk), or with key_lengths (..., Tq or 1, P + Tk), bool, on q's device.

    Raises:
        ValueError: causal is none of the three.

    Sources: as of causal_mask.
    """
    queries, keys = q.shape[-2], k.shape[-2]
    positions = torch.arange(keys, device=q.device)
    lengths = None
    if key_lengths is not None:
        lengths = key_lengths.to(q.device).reshape(key_lengths.shape + (1,) * (max(q.ndim, k.ndim) - key_lengths.ndim))
    padded = None if lengths is None else positions < lengths
    if causal is None:
        return padded
    if causal not in ("top-left", "bottom-right"):
        raise ValueError(f'causal must be None, "top-left" or "bottom-right", got {causal!r}')
    last = past if causal == "top-left" else (keys if lengths is None else lengths) - queries
    not_later: Tensor = positions <= torch.arange(queries, device=q.device)[:, None] + last
    return not_later if padded is None else not_later & padded


def gradients(
    function: Callable[[Tensor, Tensor, Tensor], Tensor], q: Tensor, k: Tensor, v: Tensor, cotangent: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of Σ cotangent ∘ function(q, k, v) by q, k and v, by PyTorch's own differentiation.

    Args:
        function: what to differentiate; its output has the shape of `cotangent`.
        q, k, v: its arguments, any shapes; they are left as they are.
        cotangent: how much each number of the output counts.

    Returns:
        dq, dk and dv, of the shapes of q, k and v.

    Raises:
        RuntimeError: of PyTorch, where the output does not depend on one of them in a way that it can differentiate.
    """
    leaves = [each.detach().clone().requires_grad_() for each in (q, k, v)]
    output = function(*leaves)
    by_query, by_key, by_value = torch.autograd.grad(output, leaves, grad_outputs=cotangent)
    return by_query, by_key, by_value


def to_tensor(array: ArrayLike, precision: Precision | Literal["float64"], device: str = "cpu") -> Tensor:
    """A tensor with the numbers of an array, rounded to a precision or, for "float64", as they are.

    Raises:
        TypeError, ValueError: as of round_to.
    """
    numbers = np.array(array, np.float64) if precision == "float64" else round_to(array, precision)
    return torch.from_numpy(np.ascontiguousarray(numbers)).to(device=device, dtype=DTYPES[precision])


def to_array(tensor: Tensor) -> FloatArray:
    """The numbers of a tensor of any dtype and device, float64."""
    array: FloatArray = tensor.detach().to(device="cpu", dtype=torch.float64).numpy()
    return array


def _shares(scores: Tensor) -> Tensor:
    """softmax along the last axis; zeros for a row of nothing but -inf, where torch.softmax gives NaN."""
    largest = scores.detach().amax(dim=-1, keepdim=True)
    powers = torch.exp(scores - largest.masked_fill(largest == -math.inf, 0))
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1)


def _for_query_heads(stack: Tensor, q: Tensor) -> Tensor:
    """Keys or values, each head repeated in place until there are as many as q has; one head simply broadcasts."""
    if q.ndim < 3 or stack.ndim < 3:
        return stack
    heads, shared = q.shape[-3], stack.shape[-3]
    if shared == 1 or heads == shared or heads % shared:
        return stack
    return stack.repeat_interleave(heads // shared, dim=-3)


def _require_alike(q: Any, k: Any, v: Any, **past: Any) -> None:
    for name, tensor in {"q": q, "k": k, "v": v, **past}.items():
        if tensor is None and name in past:
            continue
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(tensor).__name__}")
        if not tensor.dtype.is_floating_point or tensor.dtype != q.dtype:
            wanted = q.dtype if q.dtype.is_floating_point else "a floating-point dtype"
            raise TypeError(f"{name} must hold {wanted}, as q does, got {tensor.dtype}")
        _require_device(name, tensor, q)
        if tensor.numel() == 0:
            raise ValueError(f"{name} must not be empty, got shape {tuple(tensor.shape)}")
        if tensor.ndim < 2:
            raise ValueError(f"{name} must have shape (..., tokens, width), got shape {tuple(tensor.shape)}")
    if v.shape[:-1] != k.shape[:-1]:
        expected = (*k.shape[:-1], v.shape[-1])
        raise ValueError(f"v must have shape {expected}, to agree with k {tuple(k.shape)}, got {tuple(v.shape)}")


def _require_mask(mask: Any, q: Tensor) -> None:
    if mask is None:
        return
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a tensor, got {type(mask).__name__}")
    if mask.dtype != torch.bool and not mask.dtype.is_floating_point:
        raise TypeError(f"mask must be boolean or floating point, got dtype {mask.dtype}")
    _require_device("mask", mask, q)
    if mask.dtype != torch.bool and not (mask < math.inf).all():
        raise ValueError("mask must be finite or -inf, got NaN or +inf")


def _require_device(name: str, tensor: Tensor, q: Tensor) -> None:
    if tensor.device != q.device:
        raise ValueError(f"{name} must be on {q.device}, as q is, got {tensor.device}")


def _lengths(key_lengths: Any, scores: Tensor) -> Tensor | None:
    """With as many axes as the scores (..., Tq, P + Tk), on the CPU."""
    if key_lengths is None:
        return None
    if not isinstance(key_lengths, Tensor):
        raise TypeError(f"key_lengths must be a tensor, got {type(key_lengths).__name__}")
    if key_lengths.dtype not in WHOLE:
        raise TypeError(f"key_lengths must be whole numbers, got dtype {key_lengths.dtype}")
    return torch.from_numpy(as_lengths(key_lengths.cpu().numpy(), tuple(scores.shape)))
