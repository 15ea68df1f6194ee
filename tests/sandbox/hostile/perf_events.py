import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "of itself": ((298, 241), (b"\1\0\0\0\x70\0\0\0" + bytes(104), 0, -1, -1, 0)),
    "of all processes": ((298, 241), (b"\0\0\0\0\x70\0\0\0" + bytes(104), -1, 0, -1, 0)),
    "lookup_dcookie": ((212, 18), (0, bytes(64), 64)),
    "syslog": ((103, 116), (3, bytes(64), 64)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
