import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "userfaultfd": ((323, 282), (0,)),
    "userfaultfd, user mode only": ((323, 282), (1,)),
    "userfaultfd, not blocking": ((323, 282), (0o4001,)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
