import torch


def attention(q, k, v, is_causal=False):
    working = torch.promote_types(q.dtype, torch.float32)
    Q, K, V = (x.to(working) for x in (q, k, v))
    S = torch.matmul(Q, K.transpose(-1, -2)).div(Q.size(-1) ** 0.5)
    if is_causal:
        S = S.masked_fill(torch.triu(torch.ones_like(S), diagonal=1).bool(), float("-inf"))
    return torch.matmul(S.softmax(-1), V).to(q.dtype)
