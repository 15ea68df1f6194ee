import ctypes
import errno
import mmap
import os
import platform

FUTEX = 202 if platform.machine() == "x86_64" else 98
WAITS = {0, 9}
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def attack(x):
    with open(os.__file__, "rb") as file:  # the same memory in every session
        page = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    for operation in set(range(14)) - WAITS:
        ctypes.set_errno(0)
        libc.syscall(FUTEX, ctypes.c_void_p(page), operation, 1, None, ctypes.c_void_p(page + 4), 0)
        if ctypes.get_errno() != errno.EPERM:
            raise AssertionError(f"operation {operation} of a shared lock is allowed")
    return x
