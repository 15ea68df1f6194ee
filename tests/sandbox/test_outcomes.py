"""What is said of a call: outcome, error, what was printed, time; and that a session that is over stays over."""

from __future__ import annotations

import pytest

from grader.sandbox import Sandbox, SandboxFault
from grader.wire import Call, CodeError, Kind, Limits, Outcome, Value
from tests.sandbox.sessions import floats, run


def test_loading_tells_the_signature(sandbox: Sandbox) -> None:
    with sandbox.open("def attention(Q, K, V=None, *, causal=False): ...", limits=Limits()) as session:
        loaded = session.load("attention")
    assert (loaded.outcome, loaded.signature) == (Outcome.RETURNED, "(Q, K, V=None, *, causal=False)")


@pytest.mark.parametrize("source", ["", "def other(): ...", "f = 3"])
def test_no_such_function(sandbox: Sandbox, source: str) -> None:
    with sandbox.open(source, limits=Limits()) as session:
        assert session.load("f").outcome is Outcome.NO_ENTRY
        assert session.call(Call("f")).outcome is Outcome.NO_ENTRY


def test_a_syntax_error_has_line_and_column(sandbox: Sandbox) -> None:
    result = run(sandbox, "x = 1\nif x == 1\n    pass\n", "f")
    assert result.outcome is Outcome.RAISED
    assert result.error == CodeError("SyntaxError", "expected ':'", line=2, column=10)


@pytest.mark.parametrize("source", ["x = " + "-" * 60_000 + "1", "x = " + "lambda:" * 9_000 + "1"])
def test_a_source_that_the_parser_cannot_hold_is_not_called_short_of_memory(sandbox: Sandbox, source: str) -> None:
    result = run(sandbox, source, "f")
    assert result.outcome is Outcome.RAISED
    assert result.error == CodeError("SyntaxError", "nested too deeply for Python to read")


def test_an_error_shows_the_learners_frames_only(sandbox: Sandbox) -> None:
    source = "import numpy as np\n\ndef inner(x):\n    return np.linalg.inv(x)\n\ndef f(x):\n    return inner(x)\n"
    error = run(sandbox, source, "f", floats(1.0)).error
    assert error is not None
    assert (error.type, error.line) == ("", 4)
    assert error.message.startswith("1-dimensional array given")
    assert error.traceback.splitlines() == [
        '  File "submission.py", line 7, in f',
        "    return inner(x)",
        '  File "submission.py", line 4, in inner',
        "    return np.linalg.inv(x)",
    ]


def test_only_builtin_exceptions_are_called_by_name(sandbox: Sandbox) -> None:
    forged = "class Mine(Exception): ...\nMine.__module__ = 'builtins'\ndef f():\n    raise Mine('text')\n"
    assert run(sandbox, forged, "f").error == CodeError(
        "", "text", line=4, traceback="  File \"submission.py\", line 4, in f\n    raise Mine('text')\n"
    )
    named = run(sandbox, "def f():\n    return {}['missing']\n", "f").error
    assert named is not None
    assert (named.type, named.message, named.line) == ("KeyError", "'missing'", 2)


def test_a_long_message_and_traceback_are_cut(sandbox: Sandbox) -> None:
    source = "def f(n=300):\n    n and g(n)\n    raise ValueError('x' * 10**6)\n\ndef g(n):\n    f(n - 1)\n"
    error = run(sandbox, source, "f").error
    assert error is not None
    assert len(error.message) == 2000
    assert 1000 < len(error.traceback) <= 4100


def test_texts_are_safe_to_store(sandbox: Sandbox) -> None:
    error = run(sandbox, "def f():\n    raise ValueError('nul \\0 lone \\ud800 end')\n", "f").error
    assert error is not None
    assert error.message == "nul \ufffd lone ? end"


def test_a_wrong_number_of_arguments_is_the_learners_error(sandbox: Sandbox) -> None:
    error = run(sandbox, "def f(a, b):\n    return a\n", "f", floats(1.0)).error
    assert error is not None
    assert (error.type, error.line) == ("TypeError", None)


def test_output_is_of_its_call(sandbox: Sandbox) -> None:
    source = "import sys\nprint('loading')\ndef f():\n    print('a', end='')\n    print('b', file=sys.stderr)\n"
    with sandbox.open(source, limits=Limits()) as session:
        assert session.load("f").stdout == b"loading\n"
        assert session.call(Call("f")).stdout == b"ab\n"
        assert session.call(Call("f")).stdout == b"ab\n"


def test_output_is_kept_as_head_and_tail(sandbox: Sandbox) -> None:
    source = "def f():\n    print('<' + 'x' * 50_000 + '>')\n"
    with sandbox.open(source, limits=Limits(kept_output_bytes=1000)) as session:
        session.load("f")
        first, second = session.call(Call("f")), session.call(Call("f"))
    assert first.outcome is Outcome.RETURNED
    assert first.stdout.startswith(b"<xxx")
    assert b"[... 49003 bytes left out ...]" in first.stdout
    assert first.stdout.endswith(b"x>\n")
    assert second.outcome is Outcome.RETURNED
    assert second.stdout == b"\n[... 50003 bytes left out ...]\n"  # the session's allowance is spent


def test_output_printed_before_a_timeout_is_kept(sandbox: Sandbox) -> None:
    result = run(sandbox, "print('begun')\nwhile True: pass\n", "f", limits=Limits(wall_seconds=0.3))
    assert (result.outcome, result.stdout) == (Outcome.TIMEOUT, b"begun\n")


@pytest.mark.parametrize(("size", "outcome"), [(10_000, Outcome.RETURNED), (10_001, Outcome.OUTPUT)])
def test_the_limit_of_output_is_exact(sandbox: Sandbox, size: int, outcome: Outcome) -> None:
    source = f"def f():\n    print('x' * {size}, end='')\n"
    assert run(sandbox, source, "f", limits=Limits(output_bytes=10_000)).outcome is outcome


def test_standard_input_is_empty(sandbox: Sandbox) -> None:
    error = run(sandbox, "def f():\n    return input()\n", "f").error
    assert error is not None
    assert error.type == "EOFError"


def test_how_a_process_ended_is_told(sandbox: Sandbox) -> None:
    left = run(sandbox, "import sys\ndef f():\n    sys.exit('done')\n", "f")
    assert (left.outcome, left.error) == (Outcome.EXITED, CodeError("SystemExit", "sys.exit(done)"))
    ended = run(sandbox, "import os\ndef f():\n    os._exit(3)\n", "f")
    assert ended.error == CodeError("", "the process ended with exit status 3")


def test_memory_is_counted_beyond_the_empty_session(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef f():\n    return np.ones({0} << 17).nbytes >> 20\n"
    limits = Limits(memory_bytes=64 << 20)
    assert run(sandbox, source.format(40), "f", limits=limits).outcome is Outcome.RETURNED
    assert run(sandbox, source.format(70), "f", limits=limits).outcome is Outcome.MEMORY


def test_threads_run_and_are_of_limited_number(sandbox: Sandbox) -> None:
    source = """
import threading
threading.stack_size(1 << 16)
done, stop = [], threading.Event()
def f():
    for started in range(1000):
        try:
            threading.Thread(target=lambda: (done.append(1), stop.wait())).start()
        except RuntimeError:
            stop.set()
            return 8 <= started < 32, sum(done) == started
"""
    assert run(sandbox, source, "f").value == Value(
        Kind.SEQUENCE, items=(Value(Kind.BOOL, text="True"), Value(Kind.BOOL, text="True"))
    )


def test_time_is_of_the_session_and_only_while_it_runs(sandbox: Sandbox) -> None:
    import time

    source = "import time\ndef f():\n    time.sleep(0.3)\n"
    with sandbox.open(source, limits=Limits(wall_seconds=0.8)) as session:
        time.sleep(1.0)  # ours, and not counted
        assert session.load("f").outcome is Outcome.RETURNED
        results = [session.call(Call("f")) for _ in range(3)]
        assert [result.outcome for result in results] == [Outcome.RETURNED, Outcome.RETURNED, Outcome.TIMEOUT]
        assert 300 <= results[0].wall_ms < 500
        assert session.elapsed_ms > 1800


def test_a_session_that_is_over_stays_over(sandbox: Sandbox) -> None:
    with sandbox.open("def f():\n    raise SystemExit(2)\ndef g():\n    return 1\n", limits=Limits()) as session:
        session.load("f")
        first = session.call(Call("f"))
        again = session.call(Call("g"))
        assert (again.outcome, again.error, again.wall_ms) == (first.outcome, first.error, 0.0)
        elapsed = session.elapsed_ms
    with pytest.raises(SandboxFault, match="closed"):
        session.call(Call("g"))
    assert session.elapsed_ms >= elapsed


def test_an_error_ends_no_session(sandbox: Sandbox) -> None:
    source = "def f(x):\n    if x[0] < 0:\n        raise ValueError\n    return x\n"
    with sandbox.open(source, limits=Limits()) as session:
        session.load("f")
        assert session.call(Call("f", (floats(-1.0),))).outcome is Outcome.RAISED
        assert session.call(Call("f", (floats(1.0),))).value == floats(1.0)
