"""Secrets: demanded from whoever starts the site, or made on the first start."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def read_or_make_secret(path: Path) -> str:
    """The secret in `path`; made with mode 0600 if the file is not there. Two processes agree on one.

    A folder that has to be made is its owner's alone. Raises ImproperlyConfigured if it cannot be made or written to.
    """
    try:
        return path.read_text().strip() if path.exists() else _made_secret(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path.parent} cannot be used for this site's data ({error.strerror}): choose another folder with HEED_VAR"
        ) from error


def _made_secret(path: Path) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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


def given(name: str) -> str | None:
    """The value of the environment's `name`, or what the file named by `name`_FILE holds; None without either.

    Raises ImproperlyConfigured if both are set, or if the file cannot be read.
    """
    value, file = os.environ.get(name), os.environ.get(f"{name}_FILE")
    if value and file:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: set one of them")
    if file:
        try:
            value = Path(file).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{name}_FILE: cannot read {file}: {error}") from error
    return (value or "").strip() or None


def require(name: str) -> str:
    """As `given`, but raises ImproperlyConfigured if there is no value or an empty one."""
    value = given(name)
    if value is None:
        raise ImproperlyConfigured(f"{name} is not set: put it in the environment, or its file's path in {name}_FILE")
    return value
