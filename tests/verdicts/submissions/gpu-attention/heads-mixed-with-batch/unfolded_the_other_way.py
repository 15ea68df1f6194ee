import torch


def attention(q, k, v, is_causal=False):
    B, H, T, d = q.shape
    q, k, v = q.reshape(B * H, T, d), k.reshape(B * H, T, d), v.reshape(B * H, T, d)
    scores = torch.bmm(q, k.transpose(1, 2)) * d**-0.5
    if is_causal:
        scores = scores + torch.triu(torch.full_like(scores[0], float("-inf")), 1)
    out = torch.bmm(torch.softmax(scores, -1), v)
    return out.view(H, B, T, d).permute(1, 0, 2, 3)
