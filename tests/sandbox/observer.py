"""Handed in by test_hostile as the source of the next learner: prints all that a session could leave to it."""

from __future__ import annotations

import gc
import importlib
import json
import locale
import os
import random
import resource
import signal
import sys
import threading
from typing import Any

numpy: Any = sys.modules["numpy"]
torch: Any = sys.modules.get("torch")
KINDS = (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK)  # which the filter lets it ask for


def attack(x: Any) -> Any:
    print(json.dumps(found()))
    return numpy.exp(x)


def found() -> dict[str, Any]:
    return {
        "files": [sorted(os.listdir(folder)) for folder in ("/", "/tmp", "/dev", "/proc", ".")],
        "descriptors": [descriptor for descriptor in range(64) if is_open(descriptor)],
        "environment": dict(os.environ),
        "modules": sorted(sys.modules),
        "path": [*sys.path, *sys.argv, os.getcwd(), str(sys.pycache_prefix), str(sys.dont_write_bytecode)],
        "random": [random.random(), numpy.random.random(), hash("heed"), str(numpy.geterr())],
        "torch": []
        if torch is None
        else [torch.rand(1).item(), str(torch.get_default_dtype()), torch.get_num_threads()],
        "code": imported_anew("colorsys").rgb_to_hsv(0.25, 0.5, 0.75),
        "functions": [
            f"{type(each).__name__} {each.__name__}" for each in (numpy.exp, numpy.asarray, json.dumps, os.write)
        ],
        "limits": [resource.getrlimit(kind) for kind in KINDS],
        "signals": [str(signal.getsignal(number)) for number in range(1, 65)],
        "rest": [
            os.getpid(),
            os.getppid(),
            os.umask(0o077),
            threading.active_count(),
            gc.isenabled(),
            locale.setlocale(0),
        ],
    }


def imported_anew(name: str) -> Any:
    sys.modules.pop(name, None)
    return importlib.import_module(name)


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
