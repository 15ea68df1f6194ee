"""The library stands on NumPy and the standard library alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import attention_core

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


def test_everything_public_is_there() -> None:
    assert len(set(attention_core.__all__)) == len(attention_core.__all__)
    missing = [name for name in attention_core.__all__ if not hasattr(attention_core, name)]
    assert missing == []
    assert callable(attention_core.attention)
    assert callable(attention_core.softmax)
