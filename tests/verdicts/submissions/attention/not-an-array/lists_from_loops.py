from math import exp, sqrt


def attention(Q, K, V):
    output, weights = [], []
    for q in Q:
        s = [sum(a * b for a, b in zip(q, k)) / sqrt(len(q)) for k in K]
        e = [exp(x - max(s)) for x in s]
        w = [x / sum(e) for x in e]
        weights.append(w)
        output.append([sum(wi * v[c] for wi, v in zip(w, V)) for c in range(len(V[0]))])
    return output, weights
