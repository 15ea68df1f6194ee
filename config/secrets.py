"""Secrets kept in files: read one, or make it on the first start."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_make_secret(path: Path) -> str:
    """The secret in `path`; made with mode 0600 if the file is not there. Two processes agree on one."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        os.link(made, path)  # fails if another process was first; then theirs counts
    except FileExistsError:
        pass
    finally:
        made.unlink()
    return path.read_text().strip()
