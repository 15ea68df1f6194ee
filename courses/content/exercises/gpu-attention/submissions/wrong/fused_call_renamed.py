from torch.nn.functional import scaled_dot_product_attention as attend


def attention(q, k, v, is_causal=False):
    return attend(q, k, v, is_causal=is_causal)
