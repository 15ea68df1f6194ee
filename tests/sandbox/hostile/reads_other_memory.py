import ctypes
import errno
import os
import platform
import struct

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
READ, WRITE, MADVISE = ((310, 270), (311, 271), (440, 440))


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    mine = ctypes.create_string_buffer(64)
    part = struct.pack("QQ", ctypes.addressof(mine), 64)
    done = [pid for pid in (*range(10), os.getppid()) if not refused(READ, pid, part, 1, part, 1, 0)]
    done += [pid for pid in (*range(10), os.getppid()) if not refused(WRITE, pid, part, 1, part, 1, 0)]
    done += ["madvise"] * (not refused(MADVISE, 3, part, 1, 21, 0))
    for path in ("/proc/self/mem", "/proc/1/mem", "/proc/kcore", "/dev/mem", "/dev/kmem", "/proc/self/pagemap"):
        try:
            os.open(path, os.O_RDONLY)
        except OSError:
            continue
        done.append(path)
    assert not done, done
    return x
