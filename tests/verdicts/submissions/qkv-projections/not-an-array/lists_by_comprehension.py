def project(x, Wq, Wk, Wv):
    result = []
    for W in (Wq, Wk, Wv):
        result.append([list(token @ W) for token in x])
    return result
