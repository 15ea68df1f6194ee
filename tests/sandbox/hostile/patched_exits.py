import atexit
import builtins
import os
import signal
import sys

builtins.exit = builtins.quit = sys.exit = os._exit = os.abort = lambda *_: None
builtins.SystemExit = builtins.BaseException = builtins.MemoryError = ValueError
atexit._clear()
signal.signal = lambda *_: None


def attack(x):
    sys.exit(1)
    os._exit(1)
    return x
