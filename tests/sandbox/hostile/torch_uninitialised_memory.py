"""Whatever a reference or another learner left in memory would be told as an error."""

import torch

MARK = b"-".join([b"heed", b"secret", b""])


def attack(x):
    seen = []
    for size in [64 * 4**step for step in range(8)] * 8:
        memory = torch.empty(size, dtype=torch.uint8)
        numbers = memory.numpy().tobytes()
        if MARK in numbers:
            where = numbers.index(MARK)
            seen.append(numbers[where : where + 60])
    assert not seen, seen
    return x
