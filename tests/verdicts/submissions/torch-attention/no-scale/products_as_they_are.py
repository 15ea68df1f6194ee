import torch


def of_matrices(Q, K, V, causal):
    S = torch.mm(Q, K.T)
    if causal:
        S = S.masked_fill(torch.ones_like(S, dtype=torch.bool).triu(1), -torch.inf)
    E = torch.exp(S - S.max(dim=1, keepdim=True).values)
    return (E / E.sum(dim=1, keepdim=True)) @ V


def attention(q, k, v, is_causal=False):
    if q.dim() == 2:
        return of_matrices(q, k, v, is_causal)
    return torch.stack([attention(*each, is_causal) for each in zip(q, k, v)])
