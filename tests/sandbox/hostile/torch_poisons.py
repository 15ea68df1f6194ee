"""Patches what the guest could use. The answer must come back as it is."""

import torch


def lie(*_, **__):
    return torch.zeros(3)


torch.empty = torch.autograd.grad = torch.zeros_like = torch.from_numpy = lie
torch.set_default_device("meta")
torch.set_default_dtype(torch.float16)
torch.use_deterministic_algorithms(True)
torch.set_grad_enabled(False)


def attack(x):
    return x
