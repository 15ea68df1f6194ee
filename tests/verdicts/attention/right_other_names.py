# status: passed
# mistakes:
from numpy import einsum, exp, sqrt


def attention(queries, keys, values, /):
    scores = einsum("id,jd->ij", queries, keys) / sqrt(queries.shape[1])
    weights = exp(scores - scores.max(1)[:, None])
    weights = weights / weights.sum(1)[:, None]
    return einsum("ij,jv->iv", weights, values), weights
