"""Loading the source is as much inside the jail as calling it."""

import os
import socket
import sys


def run(*_):
    return os.execv(sys.executable, ["python3"])


def write(path):
    open(path, "w").close()


done = [] if os.getpid() == 1 and os.getuid() == 1000 and os.listdir("/proc") == [] else ["outside"]
for attempt in (
    os.fork,
    socket.socket,
    run,
    lambda: open("/etc/passwd"),
    lambda: open("{file}"),
    lambda: write("/heed-left"),
    lambda: write(os.path.join(os.path.dirname(os.__file__), "heed-left.py")),
):
    try:
        attempt()
    except OSError:
        continue
    done.append(attempt)


class Finder:
    """Asked before all others for whatever is imported from now on."""

    def find_spec(self, name, path=None, target=None):
        raise SystemExit(name)


sys.meta_path.insert(0, Finder())


def attack(x):
    assert not done, done
    return x
