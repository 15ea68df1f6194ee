import torch


def attack(x):
    torch.ones(4).share_memory_()
