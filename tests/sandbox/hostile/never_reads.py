import json
import os
import struct
import sys

# Answers "load" itself, then never reads: the worker must not wait in its write.
frame = sys._getframe()
while "request" not in frame.f_locals:
    frame = frame.f_back
answer = json.dumps({"nonce": frame.f_locals["request"]["nonce"], "outcome": "returned"}).encode()
os.write(3, struct.pack(">II", len(answer), 0) + answer)
while True:
    pass
