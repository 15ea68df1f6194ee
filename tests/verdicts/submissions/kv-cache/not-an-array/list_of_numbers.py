from math import exp, sqrt


def start():
    return []


def step(cache, q_t, k_t, v_t):
    cache.append((k_t.tolist(), v_t.tolist()))
    s = [sum(a * b for a, b in zip(q_t.tolist(), k)) / sqrt(len(k)) for k, _ in cache]
    e = [exp(x - max(s)) for x in s]
    return [sum(w * v[c] for w, (_, v) in zip(e, cache)) / sum(e) for c in range(len(v_t))], cache
