import torch


def attack(x):
    return torch.ones(1).expand([10**6] * 3)
