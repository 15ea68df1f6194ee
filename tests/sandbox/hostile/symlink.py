import os


def attack(x):
    os.symlink("/etc/passwd", "/tmp/result")
