import json
import os
import struct


def attack(x):
    json.dumps = json.loads = json.JSONEncoder = None
    os.write = os.readv = None
    struct.pack = struct.unpack = None
    return x
