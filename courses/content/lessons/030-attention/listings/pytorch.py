import torch
import torch.nn.functional as F

q = torch.randn(1, 4, 16)  # batch, tokens, width
k = torch.randn(1, 4, 16)
v = torch.randn(1, 4, 16)

output = F.scaled_dot_product_attention(q, k, v, is_causal=True)

print(output.shape)
