from collections.abc import Sequence


class Endless(Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        while True:
            pass


def attack(x):
    return Endless()
