"""Rules that names, not imports, could break: what each process loads, what is mounted, what is shipped."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

WEB = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
import config.wsgi
from django.urls import get_resolver
get_resolver().reverse_dict  # imports every view
from django.test import Client
import django.test.utils
django.test.utils.setup_test_environment()
print(*sys.modules)
"""
JUDGING = "import sys, grader.judging, grader.gate, grader.sandbox, attention_core; print(*sys.modules)"


def modules_loaded_by(program: str) -> set[str]:
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_the_web_process_loads_neither_numpy_nor_judging() -> None:
    loaded = modules_loaded_by(WEB)
    assert "grader.views" in loaded
    assert not loaded & {"numpy", "torch", "attention_core", "grader.judging", "grader.sandbox", "grader.checks"}
    assert not loaded & {"grader.gate", "grader.gpu", "grader.guest", "grader.worker", "grader.tasks"}


def test_judging_loads_neither_django_nor_celery() -> None:
    loaded = modules_loaded_by(JUDGING)
    assert "grader.judging" in loaded
    assert not {name.split(".")[0] for name in loaded} & {"django", "celery", "kombu"}


def test_attention_core_needs_only_numpy() -> None:
    own = {name.split(".")[0] for name in modules_loaded_by("import sys, attention_core; print(*sys.modules)")}
    outside = {name for name in own if not name.startswith("_")} - set(sys.stdlib_module_names)
    assert outside - {"attention_core", "numpy", "sitecustomize", "usercustomize"} == set()


def test_the_guest_imports_only_the_standard_library() -> None:
    tree = ast.parse((ROOT / "grader" / "guest" / "guest.py").read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} - set(sys.stdlib_module_names) <= {"numpy"}


@pytest.mark.parametrize("task", ["GRADE_TASK", "GPU_TASK", "SWEEP_TASK"])
def test_a_task_is_sent_by_the_name_it_is_registered_under(task: str) -> None:
    program = f"""
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
import django; django.setup()
import grader.tasks
from config.celery import app
from grader.services import {task}
print({task} in app.tasks)
"""
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True"]


@pytest.mark.parametrize("name", ["base.lock", "dev.lock"])
def test_lock_files_pin_everything_with_hashes_and_name_no_host(name: str) -> None:
    lines = (ROOT / "requirements" / name).read_text().splitlines()
    pinned = [line for line in lines if line and not line.startswith((" ", "#"))]
    assert len(pinned) > 30
    assert all("==" in line for line in pinned)
    assert not [line for line in lines if "://" in line]
