import ctypes
import platform


def attack(x):
    libc = ctypes.CDLL(None, use_errno=True)
    clone, clone3 = (56, 435) if platform.machine() == "x86_64" else (220, 435)
    for number in (clone, clone3, 57, 58) if clone == 56 else (clone, clone3):
        if libc.syscall(number, 17, 0, 0, 0, 0) >= 0:
            return x
    raise PermissionError("refused")
