def handshakes(people):
    return people * (people - 1) // 2


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    scores = handshakes(n)
    return [scores, scores * bytes_per_score / 10**6 * heads * layers]
