"""How long the float64 references take beside PyTorch's fused call in float64, T = 2,048 and d = 64.

On one thread and on all cores, the same number for both: NumPy's multiplications read theirs from the environment when
it is loaded, so each number gets a process of its own. There the calls take turns, so that a noisy moment meets them
alike.
`python -m benchmarks.reference THREADS REPEATS` is that process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.timing import Row, milliseconds, progress, spread

TOKENS, WIDTH = 2048, 64
ROOT = Path(__file__).resolve().parent.parent
FUSED = "fused"
NAMES = {"attention": "`attention`, output and weights", "attention_output": "`attention_output`, output alone"}


def samples(threads: int, repeats: int) -> dict[str, list[float]]:
    """Milliseconds of each call, by its name, in this process."""
    import numpy as np
    import torch

    from attention_core import attention, attention_output

    torch.set_num_threads(threads)
    rng = np.random.default_rng(0)
    Q, K, V = (rng.normal(size=(TOKENS, WIDTH)) for _ in range(3))
    q, k, v = (torch.from_numpy(array)[None, None] for array in (Q, K, V))  # the fused kernels take four axes only
    calls = {
        "attention": lambda: attention(Q, K, V),
        "attention_output": lambda: attention_output(Q, K, V),
        FUSED: lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v),
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(repeats + 1):
        for name, call in calls.items():
            time = milliseconds(call)
            if turn:  # the first one warms threads and memory
                taken[name].append(time)
    return taken


def in_a_process(threads: int, repeats: int) -> dict[str, list[float]]:
    limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), str(threads))
    command = [sys.executable, "-m", "benchmarks.reference", str(threads), str(repeats)]
    run = subprocess.run(command, env=os.environ | limits, cwd=ROOT, capture_output=True, text=True, check=True)
    taken: dict[str, list[float]] = json.loads(run.stdout)
    return taken


def measure(repeats: int = 25) -> list[Row]:
    rows = []
    for threads in sorted({1, os.cpu_count() or 1}):
        words = "1 thread" if threads == 1 else f"{threads} threads"
        progress(f"references beside the fused call, {words}")
        taken = in_a_process(threads, repeats)
        floor = statistics.median(taken[FUSED])
        for name, text in NAMES.items():
            ratio = statistics.median(taken[name]) / floor
            what = f"{text}, T = 2,048, float64, {words}"
            rows.append(Row(what, spread(taken[name]), f"{ratio:.2f} of the floor; limit: 1.50"))
        rows.append(Row(f"floor: PyTorch's fused call, {words}", spread(taken[FUSED])))
    return rows


if __name__ == "__main__":
    print(json.dumps(samples(int(sys.argv[1]), int(sys.argv[2]))))
