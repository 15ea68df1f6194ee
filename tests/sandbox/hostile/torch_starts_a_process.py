import torch.multiprocessing


def attack(x):
    process = torch.multiprocessing.get_context("fork").Process(target=print)
    process.start()
