import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
MOUNT = (165, 40)
NEWER = {"open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "mount_setattr": 442}
DISKS = ("/dev/sda", "/dev/sda1", "/dev/vda", "/dev/xvda", "/dev/nvme0n1", "/dev/mapper/control", "/dev/loop-control")


def refused(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(number), *arguments)
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def attack(x):
    os.mkdir("/tmp/disk")
    done = [disk for disk in DISKS if os.path.exists(disk)]
    for kind, source in ((b"ext4", b"/dev/sda1"), (b"proc", b"proc"), (b"sysfs", b"sysfs"), (b"tmpfs", b"tmpfs")):
        if not refused(MOUNT[COLUMN], source, b"/tmp/disk", kind, 0, 0):
            done.append(kind)
    if not refused(MOUNT[COLUMN], b"/", b"/tmp/disk", None, 4096, 0):
        done.append("bind")
    done += [name for name, number in NEWER.items() if not refused(number, -100, b"/", 0, 0, 0)]
    assert not done, done
    assert os.listdir("/tmp/disk") == []
    return x
