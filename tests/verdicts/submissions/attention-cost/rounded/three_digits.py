def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    megabytes = round(heads * layers * n**2 * bytes_per_score / 10**6, ndigits=3)
    return n**2, megabytes
