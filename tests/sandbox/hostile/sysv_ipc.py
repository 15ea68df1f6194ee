"""System V's memory, semaphores and queues, and POSIX's queues, outlive the process that made them."""

import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "shmget": ((29, 194), (0x4EED, 4096, 0o1666)),
    "shmat": ((30, 196), (0, 0, 0)),
    "shmctl": ((31, 195), (0, 0, 0)),
    "semget": ((64, 190), (0x4EED, 1, 0o1666)),
    "msgget": ((68, 186), (0x4EED, 0o1666)),
    "msgsnd": ((69, 189), (0, b"\1" + bytes(15), 8, 0)),
    "mq_open": ((240, 180), (b"heed-left", 0o102, 0o666, 0)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
