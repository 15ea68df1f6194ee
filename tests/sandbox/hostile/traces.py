"""A traced process does what its tracer says."""

import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "ptrace, being traced": ((101, 117), (0, 0, 0, 0)),
    "ptrace, attach": ((101, 117), (16, 1, 0, 0)),
    "ptrace, seize": ((101, 117), (0x4206, 1, 0, 0)),
    "pidfd_open": ((434, 434), (1, 0)),
    "pidfd_getfd": ((438, 438), (3, 3, 0)),
    "pidfd_send_signal": ((424, 424), (3, 0, 0, 0)),
    "kcmp": ((312, 272), (1, 1, 0, 3, 3)),
    "prctl, who may trace it": ((157, 167), (0x59616D61, -1, 0, 0, 0)),
    "prctl, dumpable again": ((157, 167), (4, 1, 0, 0, 0)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
