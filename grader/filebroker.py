"""A broker of files, for a site on one machine: one folder a queue, one file a message.

Kombu's own filesystem transport writes a message in place, so that a reader can meet half of it, and orders
messages by a clock that starts again at every boot. Here a message is written aside and renamed into its queue,
and its name starts with the time of day. A message belongs to the consumer that unlinks it: exactly one can.

Messages taken but not yet acknowledged live in the consumer's memory and are lost with it, and nothing is fsynced:
the database is the truth, and its sweeper sends a lost message again.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import threading
import time
import uuid
from collections import deque
from functools import cached_property
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual

logger = logging.getLogger(__name__)

SUFFIX = ".msg"
TEMPORARY = ".part"
LONGEST_WAIT = 0.3  # seconds
ABANDONED_SECONDS = 3600  # a temporary file this old belongs to a publisher that died


class Stamps:
    """File names that sort in the order in which this process asked for them, and by time across processes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0
        self._count = itertools.count()

    def next(self) -> str:
        """A name never given before, by this process or another."""
        with self._lock:
            # A clock that is set back must not put a new message before older ones.
            self._last = max(self._last + 1, time.time_ns())
            return f"{self._last:020d}-{next(self._count):06d}-{uuid.uuid4().hex}"


STAMPS = Stamps()


class Channel(virtual.Channel):
    """What publishers and consumers do with the folders."""

    supports_fanout = False  # one machine, one worker: no remote control, whose replies would need it

    @cached_property
    def _listed(self) -> dict[str, deque[str]]:
        """By queue, the names that were listed and not yet taken."""
        return {}

    def _folder(self, queue: str) -> Path:
        if not queue or queue.startswith(".") or "/" in queue or "\0" in queue:
            raise ValueError(f"a queue's name must be usable as a folder's: got {queue!r}")
        return Path(self.connection.client.transport_options["folder"]) / queue

    def _new_queue(self, queue: str, **_: Any) -> None:
        folder = self._folder(queue)
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"*{TEMPORARY}"):
            try:
                if time.time() - left.stat().st_mtime > ABANDONED_SECONDS:
                    left.unlink()
            except FileNotFoundError:
                continue  # its publisher is alive after all, and renamed it

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        folder = self._folder(queue)
        name = STAMPS.next()
        written = folder / f"{name}{TEMPORARY}"
        body = json.dumps(message).encode()
        try:
            written.write_bytes(body)
        except FileNotFoundError:
            folder.mkdir(parents=True, exist_ok=True)
            written.write_bytes(body)
        os.replace(written, folder / f"{name}{SUFFIX}")

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:  # noqa: ARG002  as kombu calls it
        folder = self._folder(queue)
        while True:
            message = _take(folder / self._next_name(queue, folder))
            if message is not None:
                return message

    def _next_name(self, queue: str, folder: Path) -> str:
        names = self._listed.get(queue)
        if not names:
            names = self._listed[queue] = deque(sorted(_messages(folder)))
        if not names:
            raise Empty
        return names.popleft()

    def _purge(self, queue: str) -> int:
        names = _messages(self._folder(queue))
        for name in names:
            (self._folder(queue) / name).unlink(missing_ok=True)
        return len(names)

    def _size(self, queue: str) -> int:
        return len(_messages(self._folder(queue)))


def _messages(folder: Path) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith(SUFFIX)]
    except (FileNotFoundError, NotADirectoryError):
        return []  # as good as empty; the next publish makes it


def _take(path: Path) -> dict[str, Any] | None:
    """The message in `path`, which is then this consumer's alone; None if another took it or it cannot be read."""
    try:
        body = path.read_bytes()
        path.unlink()
    except FileNotFoundError:
        return None
    try:
        message = json.loads(body)
        if isinstance(message, dict) and "properties" in message:
            return message
    except ValueError:
        pass
    logger.warning("%s held no message (%d bytes) and was dropped; the sweeper sends it again", path.name, len(body))
    return None


class Transport(virtual.Transport):
    """Named by the setting `broker_transport`; options: `folder` of the queues, `polling_interval` in seconds."""

    Channel = Channel
    implements = virtual.Transport.implements.extend(asynchronous=False, exchange_type=frozenset(["direct"]))
    driver_type = "files"
    driver_name = "heed-files"

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """As kombu's, but back soon: a worker looks for a request to stop only between two calls."""
        super().drain_events(connection, timeout=None if timeout is None else min(timeout, LONGEST_WAIT))  # type: ignore[no-untyped-call]
