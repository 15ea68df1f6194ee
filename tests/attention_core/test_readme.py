"""The example of the README does what its comment says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

README = Path(__file__).resolve().parents[2] / "attention_core" / "README.md"


def test_the_example_prints_what_its_comment_says(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert found
    program = found.group(1)
    with np.errstate(all="ignore"):  # the wrong code overflows on the diagnosis set, as it is meant to
        exec(compile(program, str(README), "exec"), {})  # noqa: S102 our own text
    assert capsys.readouterr().out.strip() == program.rsplit("# ", 1)[1].strip()
