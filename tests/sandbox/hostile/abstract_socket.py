"""A name that needs no file, under which another session could be met."""

import os
import socket


def attack(x):
    attempts = {
        "bound": lambda: socket.socket(socket.AF_UNIX).bind("\0heed-left"),
        "connected": lambda: socket.socket(socket.AF_UNIX).connect("\0{abstract}"),
        "file": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind("/tmp/heed-left"),
        "pair": socket.socketpair,
        "the channel": lambda: socket.socket(fileno=os.dup(3)).bind("\0heed-left"),
        "descriptors by the channel": lambda: socket.send_fds(socket.socket(fileno=os.dup(3)), [b"x"], [0]),
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
