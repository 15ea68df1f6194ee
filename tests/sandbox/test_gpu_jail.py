"""A jail for a GPU, as far as it can be tried without one: what it has more, and that it fails closed."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from grader.gpu import NoGpu, checks_for_gpu, device_name, gpu_sandbox
from grader.sandbox import Sandbox, SandboxFault, SandboxUnavailable, jail, seccomp
from grader.verdicts import ExerciseSpec
from tests.grader.gpu import CHECKS
from tests.sandbox.sessions import family, gone
from tests.sandbox.test_seccomp import HEADERS, answer
from tests.support.servers import wait_until

REFUSED = seccomp.ERROR | errno.EPERM
without_gpu = pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="of machines without a GPU")


def test_a_gpu_is_used_by_way_of_pytorch() -> None:
    with pytest.raises(ValueError, match="expected torch among the libraries"):
        Sandbox(device="cuda")


@without_gpu
def test_without_a_gpu_no_such_jail_starts() -> None:
    with pytest.raises(SandboxUnavailable, match=r"no GPU that CUDA could use: there is no /dev/nvidiactl"):
        gpu_sandbox("cuda").start()


@without_gpu
def test_where_cuda_does_not_come_up_no_session_opens_and_the_fault_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but the devices is as with a GPU, up to the first touch of CUDA in the session's process."""
    monkeypatch.setattr(jail, "_gpu_devices", list)
    with gpu_sandbox("cuda") as sandbox, pytest.raises(SandboxFault, match=r"could not make a session: .*CUDA"):
        device_name(sandbox, "cuda")


def test_the_devices_of_the_gpus_and_no_others_are_in_the_jail(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        "nvidia0",
        "nvidia11",
        "nvidiactl",
        "nvidia-uvm",
        "nvidia-uvm-tools",
        "nvidia-modeset",
        "nvidia-caps",
        "sda",
    ]
    monkeypatch.setattr(os, "listdir", lambda _path: names)
    bound = _bound(jail.command(("numpy",), gpu=True))
    assert {device for device in bound if "nvidia" in device or "sda" in device} == {
        "/dev/nvidia0",
        "/dev/nvidia11",
        "/dev/nvidiactl",
        "/dev/nvidia-uvm",
        "/dev/nvidia-uvm-tools",
    }
    assert not [device for device in _bound(jail.command(("numpy",))) if "nvidia" in device]


def _bound(command: list[str]) -> list[str]:
    return [command[index + 1] for index, word in enumerate(command) if word == "--dev-bind"]


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_the_filter_lets_more_through_only_with_a_gpu(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    column = seccomp.MACHINES[machine].column
    ioctl, madvise, clone = (numbers[column] for numbers in (seccomp.IOCTL, seccomp.MADVISE, seccomp.CLONE))
    pipe, event = (seccomp.GPU[name][column] for name in ("pipe2", "eventfd2"))
    assert pipe
    assert event
    assert ioctl
    assert madvise
    assert clone
    more: list[tuple[int, ...]] = [(ioctl, 0, 0xC020462A), (pipe,), (event,), (madvise, 0, 0, 10)]
    assert {answer(machine, *call) for call in more} == {REFUSED}
    ordinary = seccomp.program
    monkeypatch.setattr(seccomp, "program", lambda machine: ordinary(machine, gpu=True))
    assert {answer(machine, *call) for call in more} == {seccomp.ALLOW}
    assert answer(machine, madvise, 0, 0, 21) == REFUSED  # MADV_PAGEOUT
    assert answer(machine, clone, 17) == REFUSED  # fork


@pytest.mark.parametrize("column", [0, 1], ids=["x86_64", "aarch64"])
def test_numbers_are_the_kernels(column: int) -> None:
    text = HEADERS[column].read_text()
    for name, numbers in seccomp.GPU.items():
        assert f"#define __NR_{name} {numbers[column]}\n" in text


def test_a_session_that_computes_wrongly_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.gpu.PROBE", "def name(device):\n    raise ArithmeticError('wrong')\n")
    with (
        gpu_sandbox("cpu") as sandbox,
        pytest.raises(NoGpu, match="does not work in a session: ArithmeticError: wrong"),
    ):
        device_name(sandbox, "cpu")


def test_only_checks_for_a_gpu_are_run_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.specs import exercise_spec

    described: dict[str, Any] = {"slug": "x", "entry": "f", "operation": "torch-attention", "checks": CHECKS}
    spec: ExerciseSpec = exercise_spec(described, revision=1)
    for device in ("cuda", "cpu"):
        assert [(check.id, check.device) for check in checks_for_gpu(spec, device).checks] == [("on-the-gpu", device)]


def test_a_start_in_another_thread_ends_with_the_jail_and_holds_nobody_up() -> None:
    """As a worker's that is asked to stop while PyTorch is still being imported."""
    sandbox = gpu_sandbox("cpu")
    failed: list[SandboxFault] = []

    def start() -> None:
        try:
            sandbox.start()
        except SandboxFault as fault:
            failed.append(fault)

    thread = threading.Thread(target=start)
    thread.start()
    wait_until(lambda: sandbox.pid is not None, what="the jail to be launched")
    launched = family(sandbox.pid)
    sandbox.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert failed
    assert sandbox.pid is None
    assert gone(launched)
