import os
import struct


def attack(x):
    header = b"[" * 500_000
    for part in (struct.pack(">II", len(header), 0), header):
        while part:
            part = part[os.write(3, part) :]
    return x
