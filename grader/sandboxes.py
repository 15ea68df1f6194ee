"""The jails of one process: one with NumPy, one with PyTorch too, each started when it is first needed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.sandbox import Sandbox

LIBRARIES = {"numpy": ("numpy",), "torch": ("numpy", "torch")}


class Sandboxes:
    """As safe as a Sandbox is: from several threads, and made before a fork."""

    def __init__(self, sockets: Path | None = None) -> None:
        """`sockets`: the folder of sandbox containers' sockets, numpy.sock and torch.sock. Without it jails are made
        here, by bubblewrap.
        """
        self._sockets = sockets
        self._by_framework = {framework: self._sandbox(framework) for framework in LIBRARIES}

    def of(self, framework: str) -> Sandbox:
        """The sandbox for exercises of a framework, "numpy" or "torch" (KeyError for another).

        Its first session starts it, in seconds for PyTorch; start() it ahead to have it warm.
        """
        return self._by_framework[framework]

    def lacks(self, framework: str) -> bool:
        """Whether it is known, without starting anything, that there can be no sandbox for `framework`."""
        return self._sockets is None and find_spec(framework) is None

    def stop(self) -> None:
        """Ends every jail that was started. May be called again."""
        for sandbox in self._by_framework.values():
            sandbox.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _sandbox(self, framework: str) -> Sandbox:
        address = self._sockets / f"{framework}.sock" if self._sockets else None
        return Sandbox(libraries=LIBRARIES[framework], address=address)
