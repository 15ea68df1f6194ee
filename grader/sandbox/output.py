"""What a session prints: drained all the time, counted, and kept only as head and tail."""

from __future__ import annotations

import os

CHUNK = 1 << 16


class Output:
    """Reads the output pipe. `most` bytes may be printed in a session, `kept` are kept of it, spread over its calls."""

    def __init__(self, descriptor: int, *, most: int, kept: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.closed = False  # by the session: nothing more can come
        self._room, self._budget = most, kept
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0

    @property
    def overflowed(self) -> bool:
        return self._room < 0

    def drain(self) -> None:
        """Reads all that is there, or until there is too much."""
        while not self.closed and not self.overflowed:
            try:
                data = os.read(self.descriptor, CHUNK)
            except BlockingIOError:
                return
            self.closed = not data
            self._room -= len(data)
            self._keep(data)

    def take(self) -> bytes:
        """What was printed since the last call of this method; a note stands where its middle was left out."""
        note = b"\n[... %d bytes left out ...]\n" % self._left_out if self._left_out else b""
        taken = bytes(self._head) + note + bytes(self._tail)
        self._budget -= len(self._head) + len(self._tail)
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0
        return taken

    def _keep(self, data: bytes) -> None:
        half = self._budget // 2
        fits = max(0, half - len(self._head))
        self._head += data[:fits]
        self._tail += data[fits:]
        extra = max(0, len(self._tail) - half)
        self._left_out += extra
        del self._tail[:extra]
