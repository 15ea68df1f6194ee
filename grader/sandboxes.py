"""The jails of one process: one with NumPy, one with PyTorch too, each started when it is first needed."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from grader.sandbox import Sandbox


class Sandboxes:
    """As safe as a Sandbox is: from several threads, and made before a fork."""

    def __init__(self) -> None:
        self._by_framework = {"numpy": Sandbox(), "torch": Sandbox(libraries=("numpy", "torch"))}

    def of(self, framework: str) -> Sandbox:
        """The sandbox for exercises of a framework, "numpy" or "torch" (KeyError for another).

        Its first session starts it, in seconds for PyTorch; start() it ahead to have it warm.
        """
        return self._by_framework[framework]

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
