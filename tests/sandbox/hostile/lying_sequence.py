from collections.abc import Sequence


class Lying(Sequence):
    def __len__(self):
        return -1

    def __getitem__(self, index):
        return 1


def attack(x):
    return Lying()
