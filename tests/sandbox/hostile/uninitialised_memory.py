"""Whatever a reference or another learner left in memory would be told as an error."""

import numpy as np

MARK = b"-".join([b"heed", b"secret", b""])


def attack(x):
    seen, held = [], []
    for size in [64 * 2**step for step in range(16)] * 8:
        memory = np.empty(size, np.uint8)
        if size < 1 << 16:
            held.append(memory)  # so that the next one of its size is another
        numbers = memory.tobytes()
        if MARK in numbers:
            where = numbers.index(MARK)
            seen.append(numbers[where : where + 60])
    assert not seen, seen
    return x
