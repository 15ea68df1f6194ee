from math import exp, sqrt


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t, v_t))
    weights = [exp(float(q_t @ k) / sqrt(len(k))) for k, _ in cache]
    total = sum(weights)
    return sum(w / total * v for w, (_, v) in zip(weights, cache)), cache
