"""Digests: of what was compiled, which decides about new revisions, and of the files, which saves compiling at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

# Libraries whose version changes what is compiled.
LIBRARIES = ("latex2mathml", "markdown-it-py", "mdit-py-plugins", "numpy", "Pygments", "pydantic", "ruamel.yaml")


def canonical_digest(data: Any) -> str:
    """SHA-256 of `data` as JSON in one canonical spelling."""
    written = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(written.encode()).hexdigest()


def bytes_digest(files: dict[str, bytes]) -> dict[str, str]:
    """SHA-256 of each of several files."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def source_digest(package: Path, code: Iterable[Path]) -> str:
    """SHA-256 over the files of a package, the Python files under `code` and the versions of the libraries in use."""
    digest = hashlib.sha256()
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    for root, pattern in [(package, "*"), *((folder, "*.py") for folder in code)]:
        for path in sorted(root.rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                digest.update(f"{path.relative_to(root)} {len(content)}\n".encode())
                digest.update(content)
    return digest.hexdigest()
