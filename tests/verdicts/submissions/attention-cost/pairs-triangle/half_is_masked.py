def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    square = n**2
    visible = square // 2  # the mask hides the other half
    megabytes = visible * bytes_per_score * heads * layers * 1e-6
    return visible, megabytes
