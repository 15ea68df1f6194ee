"""What holds on a GPU: the references against float64, their cost beside PyTorch's own, and a whole grading session.

    python3 tools/gpu_check.py [--out DIR]

Needs Python 3.11, PyTorch, NumPy and, for the session, bubblewrap; no Django. Prints a table and writes
gpu-results.json. Without a GPU the same is done on the CPU, for fewer tokens.
Exit status: 0 all held, 1 something did not or no session could be opened, 2 PyTorch or NumPy is missing, 3 no GPU, but
all held on the CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"{sys.executable} has no {missing.name}: install PyTorch and NumPy for it", file=sys.stderr)
    sys.exit(2)

from attention_core import precision, torch_attention
from attention_core.gradients import attention_gradients
from attention_core.masks import Alignment
from attention_core.precision import Precision
from grader.checks.precision_cases import in_rows, middle_and_last
from grader.gpu import checks_for_gpu, device_name, gpu_sandbox
from grader.judging import judge
from grader.sandbox import Sandbox, SandboxFault, audit
from grader.verdicts import CheckSpec, ExerciseSpec, Job, Visibility
from grader.wire import Limits

NOT_ALL_HELD, NO_GPU = 1, 3
EXIT_STATUS = __doc__[__doc__.index("Exit status:") :]
HELD, FAILED = "held", "FAILED"
HEADS, WIDTH = 8, 64
LENGTHS = {"cuda": (1024, 4096, 8192), "cpu": (128, 512)}
COMPARED = 128  # rows of the output, in its middle and at its end: float64 of all of them would take minutes
LONGEST = 8192  # tokens, at which the fused path must do with less memory than one head's scores take
FEW = 96  # tokens, for gradients
REPEATS = {"cuda": 20, "cpu": 3}

# Where nothing else is missing.
OF_PYTORCH = (
    "With NumPy alone sessions open here, so it is PyTorch's part: it needs the NVIDIA devices in /dev (in a container "
    "too), the driver's libraries beside the C library, and a build of PyTorch for CUDA"
)

Attend = Callable[..., torch.Tensor]


def written_out(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: Alignment | None) -> torch.Tensor:
    return torch_attention.written_out(q, k, v, causal=causal)[0]


REFERENCES: dict[str, Attend] = {"written out": written_out, "fused": torch_attention.fused}


@dataclass(frozen=True)
class Row:
    """One line of the table. `error`: the largest, as a share of the allowed one; memory: beyond the inputs."""

    what: str
    dtype: str
    tokens: int
    causal: bool
    status: str
    error: float | None = None
    milliseconds: float | None = None
    megabytes: float | None = None
    told: str = ""


@dataclass(frozen=True)
class Inputs:
    """q, k and v (1, H, T, d), of numbers that the precision holds."""

    arrays: tuple[np.ndarray, np.ndarray, np.ndarray]
    dtype: Precision
    causal: bool

    @property
    def tokens(self) -> int:
        return int(self.arrays[0].shape[-2])

    def alignment(self, alignment: Alignment) -> Alignment | None:
        return alignment if self.causal else None

    def tensors(self, device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        q, k, v = (torch_attention.to_tensor(array, self.dtype, device) for array in self.arrays)
        return q, k, v


def inputs(*lengths: int) -> Iterator[Inputs]:
    """For each length, in each precision, with and without the future hidden."""
    for tokens in lengths:
        for dtype in precision.PRECISIONS:
            for causal in (False, True):
                q, k, v = (drawn(number, tokens, dtype) for number in range(3))
                yield Inputs((q, k, v), dtype, causal)


def drawn(number: int, tokens: int, dtype: Precision) -> np.ndarray:
    rng = np.random.default_rng([number, tokens])
    return precision.round_to(rng.standard_normal((1, HEADS, tokens, WIDTH)), dtype)


# ---- References -----------------------------------------------------------------------------------------------------


def references(device: str) -> Iterator[Row]:
    for given in inputs(*LENGTHS[device]):
        for name, attend in REFERENCES.items():
            yield compared(name, attend, given, device)


def compared(name: str, attend: Attend, given: Inputs, device: str) -> Row:
    tensors = given.tensors(device)
    call = partial(attend, *tensors, causal=given.alignment("top-left"))
    row = partial(Row, name, given.dtype, given.tokens, given.causal)
    try:
        output = call()
        milliseconds, megabytes = cost(call, device)
    except torch.OutOfMemoryError:  # written out, all scores are stored: a small GPU cannot
        return row(FAILED if name == "fused" else "-", told="out of memory")
    error = worst_error(torch_attention.to_array(output), given)
    told = ""
    if (output.dtype, output.device) != (tensors[0].dtype, tensors[0].device):
        told = f"the output is {output.dtype} on {output.device}"
    most = given.tokens**2 * output.element_size() / 1e6
    if name == "fused" and given.tokens == LONGEST and megabytes is not None and megabytes >= most:
        told = f"as much memory as one head's scores, {most:.0f} MB"
    return row(FAILED if told or not error <= 1 else HELD, error, milliseconds, megabytes, told)


def worst_error(output: np.ndarray, given: Inputs) -> float:
    """Of some rows, the largest error as a share of the allowed one; infinite where a number is missing."""
    shares = []
    for rows in middle_and_last(given.tokens, min(COMPARED, given.tokens)):
        exact, allowed = in_rows(rows, *given.arrays, given.causal, given.dtype)
        shares.append(np.abs(output[..., rows, :] - exact) / allowed)
    return largest(shares)


def largest(shares: list[np.ndarray]) -> float:
    return float(max(np.where(np.isnan(share), np.inf, share).max() for share in shares))


def cost(call: Callable[[], Any], device: str) -> tuple[float, float | None]:
    """Median milliseconds; on a GPU also the most megabytes that a call takes beyond what was there before it."""
    times, taken = [], None
    for _ in range(REPEATS[device]):
        before = settled_memory() if device == "cuda" else 0
        started = time.perf_counter()
        call()
        if device == "cuda":
            torch.cuda.synchronize()
            taken = (torch.cuda.max_memory_allocated() - before) / 1e6
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), taken


def settled_memory() -> int:
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    return int(torch.cuda.memory_allocated())


def gradients(device: str) -> Iterator[Row]:
    for given in inputs(FEW):
        upstream = drawn(3, FEW, given.dtype)
        alignment = given.alignment("top-left")
        q, k, v = given.arrays
        exact = attention_gradients(q, k, v, upstream, causal=alignment)
        allowed = precision.gradient_allowance(q, k, v, upstream, given.causal, "top-left", given.dtype)
        cotangent = torch_attention.to_tensor(upstream, given.dtype, device)
        for name, attend in REFERENCES.items():
            found = torch_attention.gradients(partial(attend, causal=alignment), *given.tensors(device), cotangent)
            shares = [
                np.abs(torch_attention.to_array(got) - want) / most
                for got, want, most in zip(found, exact, allowed, strict=True)
            ]
            error = largest(shares)
            status = HELD if error <= 1 else FAILED
            yield Row(f"gradients, {name}", given.dtype, given.tokens, given.causal, status, error)


# ---- A grading session ----------------------------------------------------------------------------------------------

SCORES = """
import math
import torch

def attention(q, k, v, is_causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
"""
RIGHT = f"{SCORES}    return torch.softmax(scores, dim=-1) @ v\n"
MOVED = f"{SCORES}    return (torch.softmax(scores, dim=-1) @ v).cpu()\n"
TILED = """
import torch

def attention(q, k, v, is_causal=False):
    rows = torch.arange(q.shape[-2], device=q.device)[:, None]
    largest = torch.full_like(q[..., :1], float("-inf"))
    total, output = torch.zeros_like(largest), torch.zeros_like(v)
    for start in range(0, k.shape[-2], 512):
        tile = slice(start, start + 512)
        scores = q @ k[..., tile, :].transpose(-2, -1) / q.shape[-1] ** 0.5
        if is_causal:
            scores = scores.masked_fill(rows < rows[tile].T, float("-inf"))
        new = torch.maximum(largest, scores.amax(-1, keepdim=True))
        old, powers = torch.exp(largest - new), torch.exp(scores - new)
        largest, total = new, total * old + powers.sum(-1, keepdim=True)
        output = output * old + powers @ v[..., tile, :]
    return output / total
"""
Submission = tuple[str, str, tuple[str, ...]]  # source, and what the verdict must be: status and mistakes
SUBMISSIONS: dict[str, Submission] = {
    "right": (RIGHT, "passed", ()),
    "without a scale": (RIGHT.replace(" / math.sqrt(q.shape[-1])", ""), "failed", ("no-scale",)),
}
# Where the scores may not be stored.
IN_TILES: dict[str, Submission] = {"in tiles": (TILED, "passed", ())}
# Elsewhere nothing is moved, and memory is not told.
MOVING: dict[str, Submission] = {"result moved to the CPU": (MOVED, "failed", ("device-moved",))}
STORING: dict[str, Submission] = {"all scores stored": (RIGHT, "failed", ("stores-all-scores",))}


def check(name: str, kind: str, points: int = 1, **parameters: Any) -> CheckSpec:
    return CheckSpec(name, kind, Decimal(points), Visibility.SHOWN, "It must come out.", "x", parameters, "cuda")


CAUSAL = check("causal", "random", is_causal=True)
EXERCISE = ExerciseSpec(
    slug="gpu-attention",
    revision=0,
    entry="attention",
    operation="gpu-attention",
    checks=(
        check("double", "random", cases=2),
        CAUSAL,
        check("single", "precision", dtype="float32", sizes={"T": 257}),
        check("half", "precision", dtype="float16", sizes={"T": 257}),
        check("brain", "precision", dtype="bfloat16", sizes={"T": 257}),
        check("gradients", "gradient"),
        check("device", "device"),
    ),
    limits=Limits(wall_seconds=60.0, memory_bytes=4 << 30),
)
# What a cost check says where it has all its figures.
COST_TOLD = {
    "cuda": re.compile(r"took \S+ ms and \S+ MB beyond its inputs; PyTorch's fused call \S+ ms and \S+ MB \("),
    "cpu": re.compile(r"took \S+ ms; PyTorch's fused call \S+ ms \("),
}


@dataclass(frozen=True)
class Graded:
    what: str
    status: str
    verdict: str
    mistakes: tuple[str, ...]
    session_ms: float
    checks: dict[str, str]


def grading(device: str) -> tuple[list[Graded], str]:
    """What was graded; or nothing, and why no session could be opened here."""
    sandbox = gpu_sandbox(device)
    try:
        sandbox.start()
        print(f"A session computes on: {device_name(sandbox, device)}.")
        return list(sessions(device, sandbox)), ""
    except SandboxFault as error:
        return [], str(error)
    finally:
        sandbox.stop()


def with_cost(checks: Iterable[CheckSpec], tokens: int, heads: int, **parameters: Any) -> ExerciseSpec:
    sizes = {"B": 1, "H": heads, "T": tokens, "d": WIDTH}
    cost = check("cost", "cost", 0, dtype="bfloat16", is_causal=True, sizes=sizes, **parameters)
    return replace(EXERCISE, checks=(*checks, cost))


def sessions(device: str, sandbox: Sandbox) -> Iterator[Graded]:
    on_gpu = device == "cuda"
    exercise = with_cost(EXERCISE.checks, 4096 if on_gpu else 512, HEADS)
    few_scores = with_cost([CAUSAL], LONGEST if on_gpu else 4096, 1, stores_scores=False)
    trials: list[tuple[ExerciseSpec, dict[str, Submission]]] = [(exercise, SUBMISSIONS), (few_scores, IN_TILES)]
    if on_gpu:
        trials += [(exercise, MOVING), (few_scores, STORING)]
    for asked, submissions in trials:
        spec = checks_for_gpu(asked, device)
        for name, (source, verdict, mistakes) in submissions.items():
            report = judge(Job(spec, source.encode(), seed=7, device=device), sandbox)
            held = (report.status, report.mistakes, report.device) == (verdict, mistakes, device)
            held = held and bool(COST_TOLD[device].search(report.checks[-1].message))
            checks = {each.id: f"{each.status} {each.message}".strip() for each in report.checks}
            milliseconds = round(report.session_ms, 1)
            yield Graded(name, HELD if held else FAILED, report.status, report.mistakes, milliseconds, checks)


def remedy() -> str:
    """What this machine lacks for a session, and what to install or allow."""
    sandbox = Sandbox()
    try:
        missing = [finding for finding in audit(sandbox) if not finding.ok]
    finally:
        sandbox.stop()
    told = [f"{each.name}: no ({each.detail}). {each.remedy}".strip() for each in missing]
    return "\n".join(told) or OF_PYTORCH


# ---- Told -----------------------------------------------------------------------------------------------------------


def machine(device: str) -> dict[str, Any]:
    found = {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__}
    found |= {"kernel": platform.release(), "processors": os.cpu_count(), "cuda": torch.version.cuda}
    if device == "cuda":
        gpu = torch.cuda.get_device_properties(0)
        found |= {"gpu": gpu.name, "gpu_megabytes": gpu.total_memory // 10**6, "capability": f"{gpu.major}.{gpu.minor}"}
    return found


def tell(rows: list[Row], graded: list[Graded], why_not: str) -> None:
    print("\nerror: the largest, as a share of what the precision allows; MB: the most beyond the inputs, on a GPU\n")
    print(f"{'what':<24}{'dtype':<10}{'T':>6}  {'causal':<7}{'error':>7}{'ms':>10}{'MB':>9}")
    for row in rows:
        numbers = f"{number(row.error, 7)}{number(row.milliseconds, 10)}{number(row.megabytes, 9)}"
        causal = "yes" if row.causal else "no"
        print(f"{row.what:<24}{row.dtype:<10}{row.tokens:>6}  {causal:<7}{numbers}  {row.status} {row.told}".rstrip())
    print("\ngrading session")
    for each in graded:
        named = f" ({', '.join(each.mistakes)})" if each.mistakes else ""
        print(f"{each.what:<24}{each.verdict}{named} in {each.session_ms} ms  {each.status}")
        told = each.checks if each.status == FAILED else {"cost": each.checks["cost"]}
        print("\n".join(f"    {name}: {finding}" for name, finding in told.items()))
    if why_not:
        print(f"NOT TRIED: no session could be opened here: {why_not}\n{remedy()}")


def number(value: float | None, width: int) -> str:
    return f"{'' if value is None else format(value, '.2f'):>{width}}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Checks the references and a grading session on a GPU.", epilog=EXIT_STATUS
    )
    parser.add_argument("--out", type=Path, default=Path(os.environ.get("OUT") or "."), help="for gpu-results.json")
    out: Path = parser.parse_args().out
    started = time.monotonic()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        print("There is no GPU here that PyTorch can use: the same is done on the CPU.")
    graded, why_not = grading(device)
    rows = [*references(device), *gradients(device)]
    tell(rows, graded, why_not)
    held = not why_not and FAILED not in [*(row.status for row in rows), *(each.status for each in graded)]
    seconds = round(time.monotonic() - started, 1)
    result = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": seconds,
        "machine": machine(device),
        "device": device,
        "held": held,
        "references": [asdict(row) for row in rows],
        "sessions": [asdict(each) for each in graded],
        "sessions_not_tried": why_not,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "gpu-results.json").write_text(json.dumps(result, indent=1) + "\n")
    print(f"\n{'All held' if held else 'NOT all held'} on the {device.upper()}, in {seconds} s.")
    print(f"Written: {out / 'gpu-results.json'}")
    if not held:  # nor is what could not be tried
        return NOT_ALL_HELD
    return 0 if device == "cuda" else NO_GPU


if __name__ == "__main__":
    sys.exit(main())
