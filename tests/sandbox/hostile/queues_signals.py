import ctypes
import platform
import signal
import threading

TGKILL = 234 if platform.machine() == "x86_64" else 131
libc = ctypes.CDLL(None)


def attack(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 65))  # those that queue
    for _ in range(200):
        if libc.syscall(TGKILL, 1, threading.get_native_id(), 40) != 0:
            return x
    raise AssertionError("200 signals wait in the kernel's memory")
