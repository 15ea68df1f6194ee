import torch.multiprocessing


def attack(x):
    torch.multiprocessing.spawn(print, nprocs=2)
