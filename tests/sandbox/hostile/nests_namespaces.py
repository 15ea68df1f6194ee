"""In a user namespace of its own it would have every capability again."""

import ctypes
import errno
import platform
import struct

libc = ctypes.CDLL(None, use_errno=True)
UNSHARE, SETNS, CLONE = ((272, 97), (308, 268), (56, 220))
COLUMN = 0 if platform.machine() == "x86_64" else 1
KINDS = (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000, 0x80)
THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000


def refused(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(number), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = [("unshare", kind) for kind in KINDS if not refused(UNSHARE[COLUMN], kind)]
    done += [("setns", kind) for kind in (0, *KINDS) if not refused(SETNS[COLUMN], 3, kind)]
    for kind in KINDS[:-1]:
        done += [("clone", kind) for flags in (17, THREAD) if not refused(CLONE[COLUMN], kind | flags, 0, 0, 0, 0)]
        described = ctypes.create_string_buffer(struct.pack("8Q", kind, 0, 0, 0, 17, 0, 0, 0))
        done += [("clone3", kind)] * (not refused(435, described, 64))
    assert not done, done
    return x
