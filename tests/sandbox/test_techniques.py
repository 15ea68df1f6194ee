"""For every known technique there is a program or a test, and each that is named is there and is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sandbox.techniques import TECHNIQUES
from tests.sandbox.test_hostile import EXPECTED, EXPECTED_WITH_TORCH

TESTS = Path(__file__).resolve().parent.parent
SHOWN_BY = {technique: names for group in TECHNIQUES.values() for technique, names in group.items()}
RUN_BY_A_TEST = ("verdicts/attention/",)  # folders of which a test runs every file


def is_there(name: str) -> bool:
    if "/" not in name:
        return name in EXPECTED or name in EXPECTED_WITH_TORCH
    path, _, test = name.partition("::")
    file = TESTS / path
    if not file.is_file():
        return False
    return re.search(rf"^def {test}\(", file.read_text(), re.M) is not None if test else path.startswith(RUN_BY_A_TEST)


@pytest.mark.parametrize("technique", SHOWN_BY)
def test_every_technique_has_what_shows_that_it_fails(technique: str) -> None:
    names = SHOWN_BY[technique]
    assert names, "nothing shows it"
    assert [name for name in names if not is_there(name)] == []


def test_every_technique_is_listed_once_and_so_is_every_program() -> None:
    assert len(SHOWN_BY) == sum(map(len, TECHNIQUES.values()))
    assert len(SHOWN_BY) > 80
    named = {name for names in SHOWN_BY.values() for name in names}
    assert {*EXPECTED, *EXPECTED_WITH_TORCH} - named == set()


@pytest.mark.parametrize(
    "name",
    ["no_such_program", "sandbox/test_forgery.py::test_no_such", "sandbox/test_forgery.py", "sandbox/no.py::test_x",
     "verdicts/attention/no_such.py", "sandbox/hostile/sleep.py"],
)  # fmt: skip
def test_what_is_not_there_is_found_out(name: str) -> None:
    assert not is_there(name)
