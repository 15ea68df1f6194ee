import torch


def attention(q, k, v, is_causal=False):
    B, H, T, d = q.shape
    q, k, v = (x.reshape(B * H, T, d) for x in (q, k, v))
    bias = q.new_zeros(B * H, T, T)
    if is_causal:
        row, column = torch.triu_indices(T, T, offset=1, device=q.device)
        bias[0, row, column] = float("-inf")
    weights = torch.baddbmm(bias, q, k.mT, alpha=d**-0.5).softmax(dim=-1)
    return torch.bmm(weights, v).reshape(B, H, T, d)
