import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "session keyring": ((250, 219), (0, -3, 1)),
    "join a keyring": ((250, 219), (1, b"heed-left")),
    "user keyring": ((250, 219), (0, -4, 1)),
    "add_key": ((248, 217), (b"user", b"heed-left", b"left", 4, -4)),
    "request_key": ((249, 218), (b"user", b"heed-left", 0, -4)),
}


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [name for name, (numbers, arguments) in CALLS.items() if not refused(numbers, *arguments)]
    assert not done, done
    return x
