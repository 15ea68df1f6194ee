import math


def start():
    return {"t": 0, "pairs": []}


def step(cache, q_t, k_t, v_t):
    cache["t"] += 1
    cache["pairs"].append((k_t.copy(), v_t.copy()))
    s = [float(q_t @ k) / math.sqrt(cache["t"]) for k, _ in cache["pairs"]]
    e = [math.exp(x - max(s)) for x in s]
    out = sum(w * v for w, (_, v) in zip(e, cache["pairs"])) / sum(e)
    return out, cache
