import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "bpf, a map": ((321, 280), (0, b"\2\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0" + bytes(112), 128)),
    "bpf, a program": ((321, 280), (5, bytes(128), 128)),
    "a filter of its own, by seccomp": ((317, 277), (1, 0, b"\0" * 16)),
    "a filter of its own, by prctl": ((157, 167), (22, 2, b"\0" * 16)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
