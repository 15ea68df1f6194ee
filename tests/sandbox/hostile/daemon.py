"""Forked twice, in a session of its own, it would outlive the jail."""

import os
import pty
import subprocess
import sys
import threading
import time


def linger():
    for _ in range(3000):
        time.sleep(0.01)


def fork_twice(fork):
    if fork() == 0:
        os.setsid()
        os.fork()
        linger()
        os._exit(0)


def attack(x):
    attempts = {
        "fork": lambda: fork_twice(os.fork),
        "forkpty": lambda: fork_twice(lambda: pty.fork()[0]),
        "posix_spawn": lambda: os.posix_spawn(sys.executable, ["python3"], {}),
        "new session": os.setsid,
        "new group": lambda: os.setpgid(0, 0),
        "program": lambda: subprocess.Popen([sys.executable, "-c", ""], start_new_session=True),
        "system": lambda: os.system("sleep 60 &") and os.execv("/bin/sh", ["sh"]),
    }
    done = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, RuntimeError):
            continue
        done.append(name)
    assert not done, done
    for kind in (True, False):
        threading.Thread(target=linger, daemon=kind).start()
    return x
