"""One session: a learner's source in a process of its own, and the calls made of it. Holds the clock and the limits."""

from __future__ import annotations

import enum
import json
import math
import os
import secrets
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from grader.sandbox import frames
from grader.sandbox.faults import SandboxFault
from grader.sandbox.output import Output
from grader.wire import Call, CallResult, CodeError, Kind, Limits, Outcome, Usage, Value

OVER = frozenset(Outcome) - {Outcome.RETURNED, Outcome.RAISED, Outcome.NO_ENTRY}  # after these the session has ended
READY_SECONDS = 10.0  # ours: for the jail to make a session, on a very busy machine
END_SECONDS = 2.0  # ours: for the monitor to kill and report
SIGKILL = 9


@dataclass(frozen=True)
class Ends:
    """The worker's ends of a session's three connections."""

    lifeline: socket.socket  # the monitor's; closing it ends the session
    channel: socket.socket  # the learner's process's: frames
    output: int  # read end of its standard output and error


class _Stop(enum.Enum):
    """Why waiting for a frame ended without one."""

    CLOSED = enum.auto()
    LATE = enum.auto()
    PRINTED = enum.auto()
    LARGE = enum.auto()
    GARBLED = enum.auto()


_Frame = tuple[dict[str, Any], bytes]


class Session:
    """Made by Sandbox.open. Not safe to use from two threads at once."""

    def __init__(
        self,
        ends: Ends,
        source: str,
        limits: Limits,
        unhealthy: Callable[[], None],
        opened: float,
        *,
        tensors: bool,
        gpu: bool = False,
    ) -> None:
        self._lifeline, self._channel = ends.lifeline, ends.channel
        self._channel.setblocking(False)
        self._output = Output(ends.output, most=limits.output_bytes, kept=limits.kept_output_bytes)
        self._source, self._seconds_left = source, limits.wall_seconds
        self._unhealthy = unhealthy
        self._tensors, self._gpu = tensors, gpu  # whether the jail has PyTorch, and a GPU
        self._kept: set[str] = set()  # names under which the session has kept something
        self._received = bytearray()
        self._last: CallResult | None = None  # the result that ended the session
        self._end: dict[str, Any] | None = None  # how the learner's process ended, once the monitor has said so
        self.is_open = True
        self._opened, self._closed_at = opened, math.inf
        try:
            self._await_ready()
        except BaseException:
            self.close()
            raise

    @property
    def elapsed_ms(self) -> float:
        """From asking for the session until now, or until it was closed."""
        return (min(time.monotonic(), self._closed_at) - self._opened) * 1000

    @property
    def usage(self) -> Usage | None:
        """What the session took, as the kernel told its monitor. None until it is closed, and if the jail broke."""
        if self.is_open or self._end is None or "fault" in self._end:
            return None
        return Usage(peak_bytes=self._end["peak_kb"] * 1024, cpu_ms=self._end["cpu_ms"])

    @property
    def parent_bytes(self) -> int | None:
        """What the warm parent held when it forked this session. None until it is closed, and if the jail broke."""
        if self.is_open or self._end is None or "parent_kb" not in self._end:
            return None
        return int(self._end["parent_kb"]) * 1024

    def load(self, entry: str) -> CallResult:
        """Compiles and runs the source, then looks for `entry`, whose signature the result carries."""
        return self._exchange(lambda nonce: frames.load_request(self._source, entry, nonce))

    def call(self, call: Call) -> CallResult:
        """Calls a function of the loaded source.

        Raises ValueError for an argument that cannot be sent: a name under which nothing was kept is one.
        """
        result = self._exchange(
            lambda nonce: frames.call_request(call, nonce, tensors=self._tensors, kept=self._kept, gpu=self._gpu), call
        )
        if call.keep and result.value and Value(Kind.KEPT, text=call.keep) in (result.value, *result.value.items):
            self._kept.add(call.keep)
        return result

    def close(self) -> None:
        """Ends the session and waits until none of its processes is left. May be called again."""
        if not self.is_open:
            return
        self.is_open = False
        self._kill()
        for end in (self._lifeline, self._channel):
            end.close()
        os.close(self._output.descriptor)
        self._closed_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- One request and its reply ----

    def _exchange(self, request: Callable[[str], bytes], call: Call | None = None) -> CallResult:
        """`call`: what `request` asks for; None where it loads the source."""
        if not self.is_open:
            raise SandboxFault("the session is closed")
        if self._last is not None:
            return CallResult(self._last.outcome, error=self._last.error)
        nonce = secrets.token_hex(16)  # a reply written before its request was sent cannot carry it
        data = request(nonce)
        started = time.monotonic()
        came = self._converse(data, call.reply_bytes if call else 0, started)
        result = self._interpret(came, nonce, call)
        wall = time.monotonic() - started
        self._seconds_left -= wall
        result = replace(result, stdout=self._output.take(), wall_ms=wall * 1000)
        if result.outcome in OVER:
            self._last = result
            self._kill()
        return result

    def _converse(self, data: bytes, reply_bytes: int, started: float) -> _Frame | _Stop:
        if self._unasked():
            return _Stop.GARBLED
        return self._wait(data, reply_bytes, started + self._seconds_left)

    def _unasked(self) -> bool:
        """Whether bytes came that answer nothing."""
        try:
            return bool(self._received) or bool(self._channel.recv(1, socket.MSG_PEEK))
        except (BlockingIOError, ConnectionError):
            return False

    def _interpret(self, came: _Frame | _Stop, nonce: str, call: Call | None) -> CallResult:
        if came is _Stop.CLOSED:
            return self._ended()
        if isinstance(came, _Stop):
            return CallResult(_OUTCOMES[came])
        try:
            reply = frames.parse_reply(*came, nonce, call, tensors=self._tensors)
        except frames.FrameError:
            return CallResult(Outcome.GARBLED)
        return CallResult(
            reply.outcome,
            reply.value,
            reply.arguments,
            reply.error,
            signature=reply.signature,
            gradients=reply.gradients,
            graph=reply.graph,
        )

    def _ended(self) -> CallResult:
        """The channel was closed without a reply: by the process's end, or by the learner's code."""
        report = self._report(END_SECONDS)
        if report is None:
            return CallResult(Outcome.GARBLED)
        if "signal" in report:
            if report["signal"] == SIGKILL:
                # Nobody in the session can send it, and we did not: the machine ran out of memory, or an operator did.
                raise SandboxFault("a session was killed from outside; the machine may be short of memory")
            return CallResult(Outcome.CRASHED, error=CodeError("", f"the process died of signal {report['signal']}"))
        return CallResult(Outcome.EXITED, error=CodeError("", f"the process ended with exit status {report['exit']}"))

    # ---- Moving bytes ----

    def _wait(self, data: bytes, reply_bytes: int, deadline: float) -> _Frame | _Stop:
        """Sends `data` and reads one frame, never blocking in either, draining the output all the while."""
        unsent = memoryview(data)
        poller = select.poll()
        poller.register(self._channel, select.POLLIN | select.POLLOUT)
        if not self._output.closed:
            poller.register(self._output.descriptor, select.POLLIN)
        while True:
            left = deadline - time.monotonic()
            poller.poll(max(0, math.ceil(left * 1000)))
            unsent = self._send(unsent)
            if not unsent:
                poller.modify(self._channel, select.POLLIN)
            came = self._receive(reply_bytes)
            self._output.drain()
            if self._output.overflowed:
                return _Stop.PRINTED
            if came is not None:
                return came
            if self._output.closed:
                self._unregister(poller)
            if left <= 0:
                return _Stop.LATE

    def _unregister(self, poller: select.poll) -> None:
        try:
            poller.unregister(self._output.descriptor)
        except KeyError:
            return

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[self._channel.send(unsent) :] if unsent else unsent
        except BlockingIOError:
            return unsent
        except ConnectionError:
            return unsent[:0]  # gone; what it left to read tells the rest

    def _receive(self, reply_bytes: int) -> _Frame | _Stop | None:
        """A frame once it is whole, why there will be none, or None while more may come."""
        while True:
            whole = self._whole_frame(reply_bytes)
            if whole is not None:
                return whole
            try:
                data = self._channel.recv(1 << 18)
            except BlockingIOError:
                return None
            except ConnectionError:
                data = b""
            if not data:
                return _Stop.CLOSED
            self._received += data

    def _whole_frame(self, reply_bytes: int) -> _Frame | _Stop | None:
        """Looks at the lengths before reading on: no more is ever held than a reply may have."""
        start = frames.PREFIX.size
        if len(self._received) < start:
            return None
        header, body = frames.PREFIX.unpack_from(self._received)
        if header > frames.HEADER_BYTES:
            return _Stop.GARBLED
        if body > reply_bytes:
            return _Stop.LARGE
        end = start + header + body
        if len(self._received) < end:
            return None
        text, data = bytes(self._received[start : start + header]), bytes(self._received[start + header : end])
        del self._received[:end]
        try:
            return frames.parse_header(text), data
        except frames.FrameError:
            return _Stop.GARBLED

    # ---- Beginning and end ----

    def _await_ready(self) -> None:
        """No source has been sent yet, so what comes now is the guest's own word. Raises SandboxFault."""
        came = self._wait(b"", 0, time.monotonic() + READY_SECONDS)
        if isinstance(came, tuple) and came[0] == {"ready": True}:
            return
        told = came[0].get("fault") if isinstance(came, tuple) else None
        if told is None:
            told = self._report(END_SECONDS)
        if told is None:
            self._unhealthy()
        raise SandboxFault(f"the jail could not make a session: {told or 'no answer in time'}")

    def _report(self, seconds: float) -> dict[str, Any] | None:
        """What the monitor says of the end, or None if it says nothing in time. Raises SandboxFault."""
        if self._end is not None:
            return self._end
        readable = select.poll()
        readable.register(self._lifeline, select.POLLIN)
        if not readable.poll(seconds * 1000):
            return None
        try:
            message = self._lifeline.recv(4096)
        except ConnectionError:
            message = b""
        self._end = json.loads(message) if message else {"fault": "a session's monitor ended without a report"}
        if not message:
            self._unhealthy()
        if "fault" in self._end:
            raise SandboxFault(f"the jail failed: {self._end['fault']}")
        return self._end

    def _kill(self) -> None:
        """Has the monitor end the session, and waits for it: nothing of it runs beside the next one."""
        if self._end is not None:
            return
        with suppress(OSError, SandboxFault):  # the jail is gone, and all that was in it
            self._lifeline.shutdown(socket.SHUT_WR)
            if self._report(END_SECONDS) is None:
                self._unhealthy()


_OUTCOMES = {
    _Stop.LATE: Outcome.TIMEOUT,
    _Stop.PRINTED: Outcome.OUTPUT,
    _Stop.LARGE: Outcome.TOO_LARGE,
    _Stop.GARBLED: Outcome.GARBLED,
}
