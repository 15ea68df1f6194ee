"""The library stands on NumPy and the standard library alone."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import attention_core

# Imported from its module, as the README says.
BY_MODULE = {
    "precision": {"encode", "decode_bfloat16", "written_out", "written_out_gradients"},
    "torch_attention": {"fused", "gradients", "to_array", "to_tensor", "visible_keys", "written_out"},
}
SHARED = {  # by the modules, and by nobody else
    "comparison": {"to_float"},
    "operation": {"no_fit"},
    "softmax": {"shares_of"},
}

ROOT = Path(attention_core.__file__).parent.parent

LOADED = """
import sys
before = set(sys.modules)
import attention_core, attention_core.mistakes.assembly
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(loaded - set(sys.stdlib_module_names)))
"""


def test_importing_loads_numpy_and_nothing_else() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOADED], capture_output=True, text=True, cwd=ROOT, check=True
    )
    packages = {name for name in run.stdout.split() if not name.startswith(("_", "cython"))}
    assert packages == {"attention_core", "numpy"}


def test_every_function_and_class_is_listed_or_public_by_its_module() -> None:
    unlisted = {}
    for found in pkgutil.iter_modules(attention_core.__path__):
        module = importlib.import_module(f"attention_core.{found.name}")
        own = {
            name
            for name, each in vars(module).items()
            if (inspect.isfunction(each) or inspect.isclass(each)) and each.__module__ == module.__name__
            if not name.startswith("_") and name not in attention_core.__all__
        }
        if own and found.name != "arguments":
            unlisted[found.name] = own
    assert unlisted == {**BY_MODULE, **SHARED}
    readme = Path(attention_core.__file__).with_name("README.md").read_text()
    assert all(f"`{name}`" in readme for name in BY_MODULE["precision"])


def test_everything_public_is_there() -> None:
    assert len(set(attention_core.__all__)) == len(attention_core.__all__)
    missing = [name for name in attention_core.__all__ if not hasattr(attention_core, name)]
    assert missing == []
    assert callable(attention_core.attention)
    assert callable(attention_core.softmax)
