import subprocess


def attack(x):
    subprocess.run(["/python/bin/python3.11", "-c", "pass"], check=True)
