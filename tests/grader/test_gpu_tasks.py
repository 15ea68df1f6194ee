"""Real worker processes: a verdict on the CPU, then the checks for a GPU, by a worker of their own queue.

Without a GPU, the worker that stands in for one runs their tensors on the CPU, and its reports say so.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grader.gpu import TORCH_RIGHT
from tests.grader.live import Live, gone, kill_tree, live_site
from tests.support.servers import wait_until

SLOW = f"import time\ntime.sleep(2)\n{TORCH_RIGHT}"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with live_site(tmp_path, prepare="prepare_torch") as running:
        yield running


def test_a_verdict_at_once_and_the_gpus_checks_when_a_worker_for_them_comes(live: Live) -> None:
    live.worker()
    submission = live("submit", TORCH_RIGHT)["id"]
    verdict = live.reaches(submission, "finished")
    assert (verdict["verdict"], verdict["report"]["device"]) == ("passed", "cpu")
    assert [check["status"] for check in verdict["report"]["checks"]] == ["passed", "skipped", "skipped"]
    assert live("gpu_workers") == {"configured": False, "online": False, "messages": []}
    time.sleep(1)
    assert len(os.listdir(live.folder / "var" / "broker" / "gpu")) == 1  # a worker for the CPU takes none of it
    assert live("gpu_row", submission)["state"] == "queued"

    worker = live.gpu_worker("cpu")
    row = live.reaches(submission, "finished", of="gpu_row")
    assert (row["verdict"], row["attempts"], row["fault"]) == ("passed", 1, "")
    assert row["report"]["device"] == "cpu"  # where it really ran
    on_gpu, cost = row["report"]["checks"]
    assert (on_gpu["id"], on_gpu["status"], on_gpu["message"]) == ("on-the-gpu", "passed", "")
    assert (cost["id"], cost["status"], cost["max_points"]) == ("cost", "passed", "0")
    assert re.fullmatch(r"Yours took \S+ ms; PyTorch's fused call \S+ ms \(.*, float16\)\.", cost["message"])
    assert live("row", submission) == verdict

    worker.terminate()
    assert worker.wait(15) == 0
    status = live("gpu_workers")
    assert (status["configured"], status["online"]) == (True, False)


def test_kill_9_of_a_gpu_worker_loses_nothing(live: Live) -> None:
    live.worker()
    worker = live.gpu_worker("cpu")
    submission = live("submit", SLOW)["id"]
    live.reaches(submission, "finished")
    live.reaches(submission, "running", of="gpu_row")
    below = live.tree(worker)
    kill_tree(worker)
    wait_until(lambda: gone(below), what="the killed worker's jail to end", seconds=5)
    live.gpu_worker("cpu")
    row = live.reaches(submission, "finished", of="gpu_row")
    assert (row["verdict"], row["attempts"], row["fence"]) == ("passed", 2, 2)


def test_a_gpu_worker_without_a_gpu_says_so_and_claims_nothing(live: Live) -> None:
    live.worker()
    worker = live.gpu_worker("cuda", ready=False)
    wait_until(lambda: bool(live("gpu_workers")["configured"]), what="the worker's heartbeat", seconds=60)
    status = live("gpu_workers")
    assert status["online"] is False
    assert "no GPU that CUDA could use" in status["messages"][0]
    submission = live("submit", TORCH_RIGHT)["id"]
    assert live.reaches(submission, "finished")["verdict"] == "passed"
    time.sleep(3.5)  # the message is taken, and a sweep or three pass
    row = live("gpu_row", submission)
    assert (row["state"], row["attempts"], row["fault"]) == ("queued", 0, "")
    assert worker.poll() is None
