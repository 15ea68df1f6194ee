"""By its path, by /proc, and by putting another file in its place."""

import os
import sys

import numpy


def libraries():
    yield from (sys.executable, os.path.realpath(sys.executable), os.__file__, numpy.__file__)
    yield from ("/guest.py", "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"):
        yield f"{folder}/libc.so.6"
    yield from ("/proc/self/exe", "/proc/1/exe", "/proc/self/fd/0", "/proc/self/mem", "/usr/bin/bwrap")


def attack(x):
    done = []
    for path in libraries():
        with open("/tmp/other", "w") as other:
            other.write("#!/bin/false")
        for attempt in (
            lambda path=path: os.open(path, os.O_WRONLY),
            lambda path=path: os.open(path, os.O_RDWR | os.O_TRUNC),
            lambda path=path: os.truncate(path, 0),
            lambda path=path: os.unlink(path),
            lambda path=path: os.rename(path, "/tmp/away"),
            lambda path=path: os.replace("/tmp/other", path),
            lambda path=path: os.chmod(path, 0o777),
            lambda path=path: os.utime(path, (0, 0)),
        ):
            try:
                attempt()
            except OSError:
                continue
            done.append(path)
    assert not done, done
    return x
