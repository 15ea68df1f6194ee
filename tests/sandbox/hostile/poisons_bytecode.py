"""Compiled code of other's modules, in every folder where it would be looked for, and in a cache of its own."""

import importlib
import importlib.util
import os
import py_compile
import sys


def attack(x):
    with open("/tmp/colorsys.py", "w") as file:
        file.write("rgb_to_hsv = None\n")
    code = "/tmp/poison.pyc"
    py_compile.compile("/tmp/colorsys.py", code)
    done = []
    for name in ("colorsys", "json", "struct", "numpy", "numpy.linalg"):
        spec = importlib.util.find_spec(name)
        cached = importlib.util.cache_from_source(spec.origin)
        for attempt in (
            lambda spec=spec: py_compile.compile(spec.origin, doraise=True),
            lambda cached=cached: os.makedirs(os.path.dirname(cached)),
            lambda cached=cached: os.replace(code, cached),
            lambda spec=spec: os.replace("/tmp/colorsys.py", spec.origin),
            lambda cached=cached: open(cached, "wb"),
        ):
            try:
                attempt()
            except (OSError, py_compile.PyCompileError):
                continue
            done.append(name)
    assert not done, done
    sys.dont_write_bytecode, sys.pycache_prefix = False, "/tmp/cache"
    sys.path.insert(0, "/tmp")
    importlib.invalidate_caches()
    sys.modules.pop("colorsys", None)
    assert importlib.import_module("colorsys").rgb_to_hsv is None  # here it may
    return x
