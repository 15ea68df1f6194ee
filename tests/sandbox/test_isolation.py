"""What a learner's process can reach: its source, the arguments of its call, and nothing else."""

from __future__ import annotations

import json
import os
import secrets
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.sandbox import Sandbox
from grader.wire import Call, Kind, Limits, Outcome, Value
from tests.sandbox.conftest import BACKENDS, started
from tests.sandbox.sessions import run, text

PROBER = Path(__file__).with_name("prober.py").read_text()
LIMITS = Limits(wall_seconds=20.0)
PYTORCH = {
    "_distutils_hack", "filelock", "fsspec", "functorch", "isympy.py", "jinja2", "markupsafe", "mpmath", "networkx",
    "setuptools", "sympy", "torch", "torchgen", "typing_extensions.py",
}  # fmt: skip


def secret(of: str) -> str:
    return f"heed-secret-{of}-{secrets.token_hex(8)}"


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=[("numpy",), ("numpy", "torch")], ids=["numpy", "torch"])
def found(request: pytest.FixtureRequest, backend: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the prober found, while this process held secrets in every place that it has."""
    held = secret("reference")
    reference = np.frombuffer(held.encode(), np.uint8).copy()  # an expected value, in the memory of the worker
    os.environ["HEED_SECRET"] = secret("environment")
    folder = tmp_path_factory.mktemp("project")
    (folder / "solution.py").write_text(secret("file"))
    listener = socket.create_server(("127.0.0.1", 0))
    with started(backend, request.param, folder) as sandbox, listener:
        earlier = f"earlier = '{secret('source')}'\ndef f(x):\n    global kept\n    kept = x\n    print(x)\n"
        assert run(sandbox, earlier, "f", text(secret("argument"))).outcome is Outcome.RETURNED
        with sandbox.open(earlier, limits=LIMITS) as beside:  # still open while the prober runs
            beside.load("f")
            beside.call(Call("f", (text(secret("beside")),)))
            result = run(sandbox, PROBER, "probe", limits=LIMITS)
    del os.environ["HEED_SECRET"]
    assert reference.tobytes() == held.encode()
    assert result.outcome is Outcome.RETURNED, result.error
    return json.loads(result.stdout)


def test_no_secret_of_the_worker_or_of_another_session(found: dict[str, Any]) -> None:
    assert found["marks"] == []


@pytest.mark.parametrize(
    "kept", ["{1: [%s.decode()]}", "ctypes.create_string_buffer(%s)"], ids=["object", "raw memory"]
)
def test_the_prober_finds_a_secret_that_is_there(sandbox: Sandbox, kept: str) -> None:
    planted = secret("planted")
    expression = kept % f"bytes.fromhex('{planted.encode().hex()}')"  # the source itself does not hold it
    result = run(sandbox, f"{PROBER}\n\nkept = {expression}\n", "probe", limits=LIMITS)
    assert planted in json.loads(result.stdout)["marks"]


def test_no_environment_but_the_jails(found: dict[str, Any], backend: str) -> None:
    environment = {**found["environment"]}
    assert environment.pop("TORCHINDUCTOR_CACHE_DIR", "/tmp") == "/tmp"
    for passed_on in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        assert environment.pop(passed_on, None) == os.environ.get(passed_on)
    if backend == "bubblewrap":
        assert (environment.pop("LD_LIBRARY_PATH"), environment.pop("PWD")) == ("/python/lib", "/")
    assert environment == {
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "1",
        "MKL_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


def test_no_module_of_ours(found: dict[str, Any]) -> None:
    assert not set(found["modules"]) & {"grader", "attention_core", "courses", "config", "django", "celery"}
    assert found["importable"] == []
    assert found["arguments"] == ["submission.py"]


def test_no_file_but_the_guest_and_three_devices(found: dict[str, Any], backend: str) -> None:
    guest = ["/guest.py"] if backend == "bubblewrap" else []
    assert found["files"] == ["/dev/null", "/dev/urandom", "/dev/zero", *guest]


def test_no_package_but_the_listed_libraries_and_what_they_require(found: dict[str, Any]) -> None:
    packages = set(found["packages"])
    assert packages - PYTORCH == {"numpy", "numpy.libs"}
    assert packages & PYTORCH == (PYTORCH if "torch" in packages else set())


def test_no_other_process(found: dict[str, Any]) -> None:
    assert found["processes"] == []
    assert found["pids"] == []
    assert found["identity"] == [1000, 1000, 1000, 1000, 1000, 1000, *found["identity"][6:-2], 1, 0]
    assert set(found["identity"][6:-2]) <= {1000, 65534}  # groups: none, or what the namespace cannot name


def test_no_capability(found: dict[str, Any]) -> None:
    assert set(found["capabilities"]) == {"0"}


def test_no_descriptor_but_its_own(found: dict[str, Any]) -> None:
    assert found["descriptors"] == {"0": "device", "1": "pipe", "2": "pipe", "3": "socket"}


def test_no_network(found: dict[str, Any]) -> None:
    assert found["sockets"] == []


def test_no_dangerous_system_call(found: dict[str, Any]) -> None:
    assert found["system calls"] == []


def test_no_shared_place_to_write_or_to_lock(found: dict[str, Any]) -> None:
    assert found["writable"] == ["/tmp"]
    assert found["locks"] == []


def test_hash_and_random_state_are_the_same_in_every_session_and_jail(sandbox: Sandbox) -> None:
    source = """
import random
import numpy as np
def draw():
    return hash("heed"), random.random(), float(np.random.random())
"""
    with Sandbox() as other:
        drawn = [run(place, source, "draw").value for place in (sandbox, sandbox, other)]
    assert drawn[0] is not None
    assert drawn[0].kind is Kind.SEQUENCE
    assert drawn == [drawn[0]] * 3


def test_nothing_is_left_in_tmp(sandbox: Sandbox) -> None:
    source = (
        "import os\ndef f():\n    found = os.listdir('/tmp')\n    open('/tmp/left', 'w').close()\n    return found\n"
    )
    for _ in range(2):
        assert run(sandbox, source, "f").value == Value(Kind.SEQUENCE)
