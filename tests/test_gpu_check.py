"""tools/gpu_check.py on a machine without a GPU: it says so, does the same on the CPU, and leaves with 3."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

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
    assert sessions == {"right": ("passed", []), "without a scale": ("failed", ["no-scale"])}
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


def test_where_no_session_opens_it_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.sandbox import SandboxUnavailable, jail

    def missing() -> Path:
        raise SandboxUnavailable("bubblewrap is missing")

    monkeypatch.setattr(jail, "bubblewrap", missing)
    assert gpu_check.grading("cpu") == ([], "bubblewrap is missing")
