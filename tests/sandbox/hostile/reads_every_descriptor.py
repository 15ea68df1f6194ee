"""A sibling's pipe, the worker's socket, a file of the parent's: none is open here, and none can be opened again."""

import os


def attack(x):
    open_ones = []
    for descriptor in range(4096):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        open_ones.append(descriptor)
    assert open_ones == [0, 1, 2, 3], open_ones
    assert os.read(0, 1) == b""
    for descriptor in (1, 2):
        try:
            seen = os.read(descriptor, 4096)
        except OSError:
            continue
        raise AssertionError(seen)
    os.set_blocking(3, False)
    try:
        seen = os.read(3, 4096)
    except BlockingIOError:
        os.set_blocking(3, True)
        return x
    raise AssertionError(seen)
