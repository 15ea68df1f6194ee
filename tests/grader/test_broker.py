"""The embedded broker: no message is lost, torn, or delivered to two, whoever else writes at the same time."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu.connection import Connection as KombuConnection

from grader import filebroker
from grader.filebroker import SUFFIX, TEMPORARY, Stamps

# Kombu's own annotations are too few to check calls of it by.
Connection: Any = KombuConnection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "broker"


@pytest.fixture
def connection(folder: Path) -> Iterator[Any]:
    with connect(folder) as opened:
        yield opened


def connect(folder: Path) -> Any:
    options = {"folder": str(folder), "polling_interval": 0.01}
    return Connection("files://", transport="grader.filebroker:Transport", transport_options=options)


def publish(connection: Any, *payloads: Any, queue: str = "grading") -> None:
    for payload in payloads:
        connection.Producer().publish(payload, routing_key=queue, serializer="json", retry=False)


def drain(connection: Any, queue: str = "grading") -> list[Any]:
    """All that waits in a queue, taken and acknowledged."""
    taken: list[Any] = []
    with connection.SimpleQueue(queue) as simple:
        while True:
            try:
                message = simple.get(block=False)
            except Empty:
                return taken
            taken.append(message.payload)
            message.ack()


def test_messages_come_out_in_the_order_they_went_in(connection: Any) -> None:
    publish(connection, *range(50))
    assert drain(connection) == list(range(50))
    assert drain(connection) == []


def test_queues_are_apart(connection: Any) -> None:
    publish(connection, "grade")
    publish(connection, "sweep", queue="upkeep")
    assert drain(connection, "upkeep") == ["sweep"]
    assert drain(connection) == ["grade"]


def test_order_survives_a_clock_that_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = Stamps()
    clock = iter([5_000, 1_000, 1_000, 9_000])
    monkeypatch.setattr(time, "time_ns", lambda: next(clock))
    names = [stamps.next() for _ in range(4)]
    assert names == sorted(names)


def test_order_survives_a_reboot(connection: Any, folder: Path) -> None:
    """A name starts with the time of day, not with the time since boot, which begins at zero again."""
    before = time.time_ns()
    publish(connection, "before the reboot")
    name = next((folder / "grading").iterdir()).name
    assert before <= int(name.partition("-")[0]) <= time.time_ns()


@pytest.mark.parametrize("body", [b"", b"{", b'{"body": "cut o', b"[]", b"null", b"{}", b"\xff\xfe"])
def test_a_torn_file_is_dropped_and_the_next_message_delivered(connection: Any, folder: Path, body: bytes) -> None:
    publish(connection, "first")
    first = next((folder / "grading").iterdir())
    first.write_bytes(body)
    publish(connection, "second")
    assert drain(connection) == ["second"]
    assert list((folder / "grading").iterdir()) == []


def test_a_message_being_written_is_not_seen(connection: Any, folder: Path) -> None:
    publish(connection, "whole")
    (folder / "grading" / f"0-half{TEMPORARY}").write_bytes(b'{"body"')
    assert drain(connection) == ["whole"]


def test_what_a_dead_publisher_left_is_removed_when_a_queue_is_declared(connection: Any, folder: Path) -> None:
    (folder / "grading").mkdir(parents=True)
    old, young = folder / "grading" / f"1{TEMPORARY}", folder / "grading" / f"2{TEMPORARY}"
    old.touch()
    young.touch()
    hours_ago = time.time() - 3 * filebroker.ABANDONED_SECONDS
    os.utime(old, (hours_ago, hours_ago))
    drain(connection)
    assert not old.exists()
    assert young.exists()


def test_a_folder_that_is_gone_is_empty_and_made_again(connection: Any, folder: Path) -> None:
    publish(connection, 1)
    assert drain(connection) == [1]
    (folder / "grading").rmdir()
    with connection.SimpleQueue("grading") as queue:
        (folder / "grading").rmdir()
        with pytest.raises(Empty):
            queue.get(block=False)
    publish(connection, 2)
    assert drain(connection) == [2]


def test_a_broker_that_cannot_be_written_is_an_error_of_the_publisher(connection: Any, folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="Not a directory"):
        publish(connection, 1)


@pytest.mark.parametrize("queue", ["../elsewhere", ".hidden", "a/b"])
def test_a_queue_cannot_leave_the_folder(connection: Any, queue: str) -> None:
    with pytest.raises(ValueError, match="usable as a folder"):
        publish(connection, 1, queue=queue)


def test_unacknowledged_messages_go_back_when_a_consumer_closes(connection: Any, folder: Path) -> None:
    publish(connection, "kept")
    with connect(folder) as other:
        other.SimpleQueue("grading").get(block=False)
        assert drain(connection) == []
    assert drain(connection) == ["kept"]


PUBLISHERS, EACH, CONSUMERS = 4, 300, 2


def _publisher(folder: Path, number: int) -> None:
    with connect(folder) as connection:
        publish(connection, *([number, count, "x" * (count % 50) * 100] for count in range(EACH)))


def _consumer(folder: Path, results: Any, done: Any) -> None:
    taken = []
    with connect(folder) as connection:
        while True:
            finished = done.is_set()
            found = drain(connection)
            taken += [item[:2] for item in found]
            if finished and not found:
                break
    results.put(taken)


def test_publishers_and_consumers_at_once_lose_tear_and_double_nothing(folder: Path) -> None:
    processes = multiprocessing.get_context("spawn")
    results, done = processes.Queue(), processes.Event()
    consumers = [processes.Process(target=_consumer, args=(folder, results, done)) for _ in range(CONSUMERS)]
    publishers = [processes.Process(target=_publisher, args=(folder, number)) for number in range(PUBLISHERS)]
    for process in consumers + publishers:
        process.start()
    for process in publishers:
        process.join()
    done.set()
    taken = [item for _ in consumers for item in results.get(timeout=60)]
    for process in consumers:
        process.join()
    assert [process.exitcode for process in publishers + consumers] == [0] * (PUBLISHERS + CONSUMERS)
    assert sorted(taken) == [[number, count] for number in range(PUBLISHERS) for count in range(EACH)]


def test_a_reader_never_meets_half_a_message(folder: Path) -> None:
    """Whatever stands under a message's final name is whole, at every moment."""
    processes = multiprocessing.get_context("spawn")
    publisher = processes.Process(target=_publisher, args=(folder, 0))
    publisher.start()
    seen: set[Path] = set()
    while publisher.is_alive() or len(seen) < EACH:
        for path in (folder / "grading").glob(f"*{SUFFIX}"):
            if path not in seen:
                assert json.loads(path.read_bytes())["properties"]
                seen.add(path)
        assert publisher.exitcode in {None, 0}
    publisher.join()
    assert len(seen) == EACH
