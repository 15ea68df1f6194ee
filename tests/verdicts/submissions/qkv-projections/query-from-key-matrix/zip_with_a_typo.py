def project(x, Wq, Wk, Wv):
    out = {}
    for name, W in zip("qkv", [Wk, Wk, Wv]):
        out[name] = (x[:, :, None] * W[None, :, :]).sum(axis=1)
    return out["q"], out["k"], out["v"]
