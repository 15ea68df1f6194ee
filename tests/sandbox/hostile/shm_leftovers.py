import _posixshmem
import os
import tempfile


def attack(x):
    attempts = {
        "file": lambda: open("/dev/shm/heed-left", "w"),
        "folder": lambda: os.mkdir("/dev/heed-left"),
        "shm_open": lambda: _posixshmem.shm_open("/heed-left", os.O_CREAT | os.O_RDWR, mode=0o666),
        "nameless": lambda: os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR),
        "temporary": lambda: tempfile.mkdtemp("heed-left", dir="/var/tmp"),
    }
    done = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    assert not done, done
    return x
