"""What crosses the border of a session: values as bytes, calls, and what became of them.

Plain frozen dataclasses, no NumPy, no Django. The sandbox moves these without
knowing what they mean; the checks turn them into arrays and verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Kind(StrEnum):
    """What a value that crossed the border is."""

    ARRAY = "array"  # exactly numpy.ndarray: dtype, shape, data (C order)
    SCALAR = "scalar"  # a NumPy scalar: dtype, data
    INT = "int"  # a Python int: decimal digits in text
    FLOAT = "float"  # a Python float: float.hex() in text
    BOOL = "bool"  # "True" or "False" in text
    NONE = "none"
    TEXT = "text"  # a str, cut to 1,000 characters
    SEQUENCE = "sequence"  # list, tuple or another Sequence: items
    TENSOR = "tensor"  # exactly torch.Tensor: dtype, shape, data (C order), and its device in text
    KEPT = "kept"  # an object that stays in the session (Call.keep); its name there in text
    OTHER = "other"  # anything else: the name of its type in text


@dataclass(frozen=True, slots=True)
class Value:
    """One argument or result. `data` holds an array's or a tensor's bytes in C order, little-endian."""

    kind: Kind
    dtype: str = ""  # NumPy's dtype.str, such as "<f8"; of a tensor PyTorch's name, such as "bfloat16"
    shape: tuple[int, ...] = ()
    data: bytes = b""
    items: tuple[Value, ...] = ()
    text: str = ""


class Outcome(StrEnum):
    """What became of a call (or of loading the source), as the sandbox saw it."""

    RETURNED = "returned"
    RAISED = "raised"  # an exception of the learner's code; see CallResult.error
    NO_ENTRY = "no-entry"  # the source ran but defines no such function
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"  # printed more than Limits.output_bytes
    EXITED = "exited"  # sys.exit, os._exit, or the process ended without a result
    CRASHED = "crashed"  # died of a signal nobody of ours sent
    TOO_LARGE = "too-large"  # the result was larger than the reply may be; not read
    GARBLED = "garbled"  # a reply that is no valid frame


@dataclass(frozen=True, slots=True)
class CodeError:
    """An exception raised by a learner's code; every text in it is the learner's to choose."""

    type: str  # a builtin exception's name, or "" for a class of the learner's own
    message: str  # cut to 2,000 characters
    line: int | None = None  # 1-based, in the learner's source
    column: int | None = None  # 1-based, for syntax errors
    traceback: str = ""  # frames of the learner's source only


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function that the learner defines."""

    entry: str
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    arguments_back: bool = False  # also return the positional arguments as they are after the call
    reply_bytes: int = 1_000_000  # the most bytes of array data that the reply may carry
    # Keep a part of the result in the session under a name; later calls give it back with a value of kind KEPT.
    # In its place the reply has such a value. None keeps the whole result, a number that item of a sequence.
    keep: str = ""
    keep_item: int | None = None
    # For functions of tensors: the gradient of a loss with respect to the result, of the result's shape. The tensors
    # among the arguments are then made to require gradients, and the reply carries the loss's gradients for them.
    cotangent: Value | None = None


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one call came to. Times in milliseconds, memory in bytes, measured outside the session."""

    outcome: Outcome
    value: Value | None = None
    arguments: tuple[Value, ...] = ()  # filled when asked for by Call.arguments_back
    error: CodeError | None = None
    stdout: bytes = b""  # what was printed during this call, capped by the sandbox
    wall_ms: float = 0.0
    signature: str = ""  # of the entry, after loading, such as "(Q, K)"
    gradients: tuple[Value, ...] = ()  # one for each tensor among the arguments; NONE where there is none
    graph: tuple[str, ...] = ()  # with gradients: the names of the autograd nodes behind the result, each once


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one session."""

    wall_seconds: float = 10.0
    memory_bytes: int = 512 * 1024 * 1024  # beyond the empty session's
    output_bytes: int = 1_000_000
    kept_output_bytes: int = 64 * 1024  # head and tail together
    scratch_bytes: int = 16 * 1024 * 1024  # of files in its /tmp


@dataclass(frozen=True, slots=True)
class Usage:
    """What one whole session took, as the kernel counted it; known once the session is closed."""

    peak_bytes: int  # resident memory at its most, what was inherited from the warm parent included
    cpu_ms: float  # user and system time of all its threads
