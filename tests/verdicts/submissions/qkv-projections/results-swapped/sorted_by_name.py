def project(x, Wq, Wk, Wv):
    made = {"Q": x.dot(Wq), "K": x.dot(Wk), "V": x.dot(Wv)}
    return [made[name] for name in sorted(made, reverse=True)]
