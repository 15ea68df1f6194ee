import torch


def attack(x):
    kept = []
    while True:
        kept.append(torch.ones(1 << 20))
