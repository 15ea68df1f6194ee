"""What a sandbox container runs: `python -m grader.sandbox.serve SOCKET`. The container is the outer jail.

It needs the interpreter, the libraries, grader/sandbox, grader/guest and grader/wire.py, and nothing else of this
project. Of all that a session sees what it would see behind bubblewrap.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib.metadata import distribution
from pathlib import Path

from grader.sandbox import jail
from grader.sandbox.faults import SandboxUnavailable


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m grader.sandbox.serve",
        description="Opens sessions for the workers that connect to a Unix socket. Ends on SIGTERM.",
    )
    parser.add_argument("socket", type=Path, help="where to listen; its folder is there and may be written to")
    parser.add_argument("--libraries", nargs="+", default=["numpy"], help="what sessions can import (default: numpy)")
    options = parser.parse_args()
    address: Path = options.socket.absolute()
    try:
        settings = {
            "libraries": options.libraries,
            "packages": str(distribution("numpy").locate_file("")),
            "root": jail.root(options.libraries),
        }
    except SandboxUnavailable as missing:
        parser.error(str(missing))
    python = str(Path(sys.base_prefix) / "bin" / jail.PYTHON)
    os.chdir("/")
    command = [python, *jail.FLAGS, str(jail.GUEST), str(address), json.dumps(settings)]
    os.execve(python, command, jail.environment())  # noqa: S606 to have no variable of this process from the first byte


if __name__ == "__main__":
    main()
