from math import exp, sqrt


def causal_attention(Q, K, V):
    outputs, weights = [], []
    for t in range(len(Q)):
        s = [float(Q[t] @ K[j]) / sqrt(len(Q[t])) for j in range(t + 1)]
        e = [exp(x - max(s)) for x in s]
        w = [x / sum(e) for x in e]
        weights.append(w)  # as long as what is visible
        outputs.append([sum(a * v[c] for a, v in zip(w, V)) for c in range(V.shape[1])])
    return outputs, weights
