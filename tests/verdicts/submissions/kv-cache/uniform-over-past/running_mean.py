def start():
    return 0, 0.0


def step(cache, q_t, k_t, v_t):
    n, mean = cache
    n += 1
    mean = mean + (v_t - mean) / n
    return mean, (n, mean)
