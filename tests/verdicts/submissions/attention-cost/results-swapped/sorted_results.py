def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    result = {"pairs": n**2}
    result["megabytes"] = result["pairs"] * bytes_per_score * heads * layers / 10**6
    return [result[key] for key in sorted(result)]
