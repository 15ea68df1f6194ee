"""The test listens at these places, and must see nobody come."""

import os
import socket
import urllib.request

PORT, PATH, ABSTRACT = int("{port}"), "{socket}", "{abstract}"


def connect(family, address):
    with socket.socket(family) as connection:
        connection.settimeout(0.2)
        connection.connect(address)


def connect_the_channel(address):
    with socket.socket(fileno=os.dup(3)) as connection:
        connection.connect(address)


def send_a_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.sendto(b"GET /", ("127.0.0.1", PORT))


def attack(x):
    attempts = {
        "loopback": lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)),
        "loopback 6": lambda: connect(socket.AF_INET6, ("::1", PORT)),
        "metadata of a cloud": lambda: connect(socket.AF_INET, ("169.254.169.254", 80)),
        "http": lambda: urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=0.2),
        "datagram": send_a_datagram,
        "unix": lambda: connect(socket.AF_UNIX, PATH),
        "abstract": lambda: connect(socket.AF_UNIX, f"\0{ABSTRACT}"),
        "engine of containers": lambda: connect(socket.AF_UNIX, "/var/run/docker.sock"),
        "the channel": lambda: connect_the_channel(PATH),
        "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
        "name": lambda: socket.getaddrinfo("example.org", 80),
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
