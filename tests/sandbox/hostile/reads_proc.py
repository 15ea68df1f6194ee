"""Of this process and of others: environment, memory, mounts, network, the kernel's settings."""

import os

PLACES = (
    "self/environ", "self/cmdline", "self/maps", "self/mem", "self/fd", "self/mountinfo", "self/cgroup", "self/stat",
    "self/root", "self/task", "thread-self/comm", "net/unix", "net/tcp", "sysvipc/shm", "kallsyms", "keys", "mounts",
    "sys/kernel/core_pattern", "sysrq-trigger", "cpuinfo", "meminfo", "version", "loadavg",
)  # fmt: skip


def attack(x):
    paths = [f"/proc/{place}" for place in PLACES]
    paths += [f"/proc/{pid}/{name}" for pid in range(1, 200) for name in ("environ", "cmdline", "fd", "root")]
    paths += ["/sys", "/sys/fs/cgroup", "/sys/kernel/debug", "/dev/kmsg", "/dev/shm", "/run", "/var/run"]
    seen = [path for path in paths if os.path.lexists(path)]
    assert not seen, seen
    assert os.listdir("/proc") == []
    return x
