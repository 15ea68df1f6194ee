import os


def attack(x):
    for descriptor in range(1024):
        for attempt in (b'{"exit": 0}', b'{"ready": true}', b"ready", b"\xff" * 64):
            try:
                os.write(descriptor, attempt)
            except OSError:
                break
    return x
