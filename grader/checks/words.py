"""How a value, a number or an exception is called in a sentence for the learner.

`reveal` is False wherever the inputs are hidden: then nothing is said that the
learner's code could have filled with them (text, names of types, values).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection
from typing import Any

import numpy as np

from grader.checks.values import Foreign, Tensor
from grader.wire import CodeError

# Types that people do return by accident; naming one of these tells nothing about an input.
WELL_KNOWN = frozenset(
    {"list", "tuple", "dict", "set", "frozenset", "range", "bytes", "complex", "generator", "map", "zip", "filter"}
    | {"function", "method", "type", "module", "ellipsis", "memoryview", "matrix", "MaskedArray", "Tensor"}
)
AXES_TOLD = 4
MESSAGE_TOLD = 300  # characters of an exception
DEVICES = frozenset({"cpu", "cuda", "meta"})
COUNTS = ("no", "one", "two", "three", "four", "five")


def value(decoded: Any, *, reveal: bool, sizes: Collection[int] = ()) -> str:
    """Such as "an array of shape (5, 2)", "a NumPy number (float32)", "None". `sizes`: as for `shape`."""
    match decoded:
        case np.ndarray():
            return f"an array of {shape(decoded, reveal=reveal, sizes=sizes)}"
        case Tensor():
            return f"a tensor of {shape(decoded.array, reveal=reveal, sizes=sizes)}"
        case np.generic():
            return f"a NumPy number ({decoded.dtype.name})"
        case None:
            return "None"
        case bool() | int() | float():
            return f"a Python {type(decoded).__name__}"
        case str():
            return f"the string {decoded[:40]!r}" if reveal else "a string"
        case tuple():
            return f"a sequence of {len(decoded)}"
        case Foreign():
            return _foreign(decoded.name, reveal=reveal)
    raise TypeError(f"no words for a {type(decoded).__name__}")


def shape(array: np.ndarray, *, reveal: bool, sizes: Collection[int]) -> str:
    """Such as "shape (5, 2)". Code can fold an input into the lengths of axes that it makes up, an empty array's most
    of all: without `reveal` only lengths among `sizes`, which are the case's own, are told."""
    told = reveal or (array.ndim <= AXES_TOLD and set(array.shape) <= {1, *sizes})
    return f"shape {array.shape}" if told else "another shape"


def _foreign(name: str, *, reveal: bool) -> str:
    """`name` is a type's, with its module, or that of an array's with its dtype, or "list of 12 items"."""
    kind, _, dtype = name.partition(" of dtype ")
    short = kind.split(" ")[0].rpartition(".")[2]
    if dtype:
        what = "Python objects" if dtype.lstrip("<>|=").lower().startswith("o") else "something other than numbers"
        return f"an array of {what}"
    if short == "ellipsis":
        return "an ellipsis (...)"
    if reveal:
        return f"a {kind.rpartition('.')[2][:60]}"
    return f"a {short}" if short in WELL_KNOWN else "an object of another type"


def device(name: str) -> str:
    """The name, unless the learner's process made it up."""
    return name if name in DEVICES else "another device"


def number(quantity: Any) -> str:
    """Six significant digits, or all of them where six would hide a Python int's end."""
    return str(quantity) if isinstance(quantity, int) else f"{quantity:.6g}"


def two_numbers(expected: Any, got: Any) -> tuple[str, str]:
    """Both in words, with as many digits as it takes to tell them apart."""
    short = number(expected), number(got)
    return short if short[0] != short[1] else (repr_of(expected), repr_of(got))


def repr_of(quantity: Any) -> str:
    return str(quantity) if isinstance(quantity, int) else repr(float(quantity))


def at(result: str, index: tuple[int, ...]) -> str:
    """Such as "weights[1, 2]"."""
    return f"{result}[{', '.join(map(str, index))}]" if index else result


def exception_name(error: CodeError) -> str:
    """The name of a built-in exception, or "" for a class of the learner's own."""
    known = getattr(builtins, error.type, None) if error.type.isidentifier() else None
    return error.type if isinstance(known, type) and issubclass(known, BaseException) else ""


def raised(error: CodeError, *, reveal: bool) -> str:
    """Such as "raised ValueError at line 3: operands could not be broadcast"; without the text unless `reveal`."""
    unknown = error.type or "an exception" if reveal else "an exception that Python does not define"
    name = exception_name(error) or unknown
    place = f" at line {error.line}" if error.line is not None else ""
    message = error.message if len(error.message) <= MESSAGE_TOLD else f"{error.message[:MESSAGE_TOLD]}…"
    text = f": {message}" if reveal and message else ""
    return f"raised {name}{place}{text}"


def wrong_arity(entry: str, asked: str, signature: str, arguments: int) -> str:
    """A sentence if a function of this signature cannot take so many positional arguments, else ""."""
    accepted = _positional(signature)
    if accepted is None or accepted[0] <= arguments <= accepted[1]:
        return ""
    plural = "" if arguments == 1 else "s"
    return f"{asked} was called with {arguments} argument{plural}, yours is {entry}{signature[:200]}."


def _positional(signature: str) -> tuple[int, float] | None:
    """The least and the most positional arguments, or None where the text is no plain signature."""
    try:
        function = ast.parse(f"def entry{signature[:1000]}: pass").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    taken = function.args
    places = len(taken.posonlyargs) + len(taken.args)
    if any(default is None for default in taken.kw_defaults):
        return (1, 0)  # a keyword that must be given: no positional call fits
    return places - len(taken.defaults), float("inf") if taken.vararg else places
