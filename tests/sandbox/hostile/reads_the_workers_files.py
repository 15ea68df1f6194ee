import importlib.util
import os

PLACES = (
    "{file}", "{project}/manage.py", "{project}/tests/sandbox/hostile", "{project}/config/settings", "/etc/passwd",
    "/etc/hostname", "/run/heed", "/run/secrets", "/project/manage.py", "/project/grader", "/var/lib", "/.dockerenv",
)  # fmt: skip


def attack(x):
    seen = [path for path in PLACES if os.path.lexists(path)]
    for path in PLACES:
        for way in (f"/proc/1/root{path}", f"/proc/self/root{path}", f"/tmp/..{path}", f"//{path}"):
            try:
                os.open(way, os.O_RDONLY)
            except OSError:
                continue
            seen.append(way)
    names = ("tests", "grader", "attention_core", "courses", "config", "guest", "conftest", "django", "pytest")
    seen += [name for name in names if importlib.util.find_spec(name)]
    assert not seen, seen
    return x
