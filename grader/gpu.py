"""A jail whose sessions may use a GPU, and whether they can. No Django, no Celery.

CUDA is first touched in a session's process: neither a worker nor the jail's warm parent may, as nothing of CUDA
survives a fork.
"""

from __future__ import annotations

from dataclasses import replace

from grader.sandbox import Sandbox, SandboxFault
from grader.verdicts import ExerciseSpec
from grader.wire import Call, Kind, Limits, Outcome, Value

# What a session is asked first. It runs as a learner's code would, in the same process, under the same limits.
PROBE = """
import torch

def name(device):
    numbers = torch.arange(6.0, device=device).reshape(2, 3)
    if (numbers @ numbers.T).sum().item() != 83.0:
        raise ArithmeticError("a product of small matrices comes out wrong")
    return torch.cuda.get_device_name() if device == "cuda" else "the CPU"
"""
PROBE_LIMITS = Limits(wall_seconds=60.0, memory_bytes=4 << 30)


class NoGpu(SandboxFault):
    """No session of the jail can compute on the device; the message says what happened when one tried."""


def gpu_sandbox(device: str) -> Sandbox:
    """For `device` "cuda", or "cpu" where the way of GPU checks is tested without one. Not started."""
    return Sandbox(libraries=("numpy", "torch"), device="cuda" if device == "cuda" else "cpu")


def checks_for_gpu(spec: ExerciseSpec, device: str) -> ExerciseSpec:
    """The exercise with those of its checks alone that need a GPU, to be run on `device`, as gpu_sandbox has it."""
    checks = [replace(check, device=device) for check in spec.checks if check.device == "cuda"]
    return replace(spec, checks=tuple(checks))


def device_name(sandbox: Sandbox, device: str) -> str:
    """What a session says that it computes on. Raises NoGpu where it cannot, SandboxFault where there is no session."""
    with sandbox.open(PROBE, limits=PROBE_LIMITS) as session:
        result = session.load("name")
        if result.outcome is Outcome.RETURNED:
            result = session.call(Call("name", (Value(Kind.TEXT, text=device),)))
    if result.outcome is Outcome.RETURNED and result.value is not None and result.value.kind is Kind.TEXT:
        return result.value.text
    told = f"{result.error.type}: {result.error.message}" if result.error else f"the session ended: {result.outcome}"
    raise NoGpu(f"{device.upper()} does not work in a session: {told.splitlines()[0]}")
