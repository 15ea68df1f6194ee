import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
UMOUNT, MOUNT, PIVOT_ROOT, CHROOT = ((166, 39), (165, 40), (155, 41), (161, 51))
FORCE, DETACH, EXPIRE, NO_LINK = 1, 2, 4, 8
REMOUNT, BIND, MOVE = 32, 4096, 8192


def refused(numbers, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[COLUMN]), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    done = []
    for place in (b"/proc", b"/tmp", b"/dev", b"/dev/null", b"/"):
        done += [place for flags in (0, FORCE, DETACH, EXPIRE, NO_LINK) if not refused(UMOUNT, place, flags)]
        done += [place for flags in (REMOUNT, REMOUNT | BIND) if not refused(MOUNT, None, place, None, flags, None)]
        done += [place] * (not refused(MOUNT, place, b"/tmp", None, MOVE, None))
    os.mkdir("/tmp/root")
    done += ["pivot"] * (not refused(PIVOT_ROOT, b"/tmp/root", b"/tmp/root"))
    done += ["chroot"] * (not refused(CHROOT, b"/tmp/root"))
    assert not done, done
    assert os.listdir("/proc") == []
    return x
