"""A ring would open, read and connect without a system call that a filter sees."""

import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "io_uring_setup": ((425, 425), (1, b"\0" * 120)),
    "io_uring_enter": ((426, 426), (3, 0, 0, 0, 0, 0)),
    "io_uring_register": ((427, 427), (-1, 0, 0, 0)),
    "io_setup": ((206, 0), (1, b"\0" * 8)),
    "io_submit": ((209, 2), (0, 0, 0)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
