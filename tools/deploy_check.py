"""Missing migrations, and Django's deploy checks on the production settings with made-up secrets."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, "-W", "error::RuntimeWarning", "manage.py"]


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        testing = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.test", "HEED_VAR": scratch}
        production = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings.prod",
            "HEED_VAR": scratch,
            "SECRET_KEY": secrets.token_urlsafe(64),
            "ALLOWED_HOSTS": "heed.example.org",
            "DATABASE_URL": f"sqlite:///{scratch}/heed.sqlite3",
            "REDIS_URL": "redis://:password@localhost:6379/0",
        }
        commands = [
            (["makemigrations", "--check", "--dry-run"], testing),
            (["check", "--deploy", "--fail-level", "WARNING"], production),
        ]
        return max(
            subprocess.run([*MANAGE, *arguments], cwd=ROOT, env=environment, check=False).returncode
            for arguments, environment in commands
        )


if __name__ == "__main__":
    sys.exit(main())
