"""Source rules: what an exercise does not let a source use, found in its syntax tree before anything runs.

A rule speaks of names, so it sees what is written and not what is computed: a name put together at run time passes it
(docs/package-format.md says what else is looked at). What a source calls its own function or method, it may. A text may
become a name or code when it runs, so it is searched too if it could: a single word, or what Python can read. Prose is
neither, nor are comments, nor texts that stand alone, such as docstrings. A source that Python cannot read is left to
it: its own error names the line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

NO_FUSED_ATTENTION = "no-fused-attention"

FUSED_NAMES = re.compile(
    r"scaled_dot_product_attention\w*|_scaled_dot_product_\w+|_fused_sdp_choice\w*|_safe_softmax"
    r"|_?(flash|efficient|cudnn)_attention_(forward|backward)\w*|flex_attention\w*"
    r"|MultiheadAttention|Transformer(En|De)coder(Layer)?|_transformer_encoder_layer_fwd"
    r"|multi_head_attention_forward|_native_multi_head_attention"
)
FUSED_MODULES = ("torch.nn.attention", "torch.nn.Transformer", "torch._C._nn")
MOST_ATTRIBUTES = 100  # looked up one on another; what honest code writes has ten
LONGEST_TEXT = 1 << 16  # characters, as many as a source may have: joining multiplies
FUSED_TEXT = re.compile(rf"({FUSED_NAMES.pattern})|torch\.nn\.attention|torch\._C\._nn")


@dataclass(frozen=True, slots=True)
class Rule:
    """`names`: of functions and classes; `modules`: with all that is in them; `text`: what no text may hold that could
    be code.
    """

    names: re.Pattern[str]
    modules: tuple[str, ...]
    text: re.Pattern[str]
    remedy: str  # a sentence: what to do instead


@dataclass(frozen=True, slots=True)
class Found:
    line: int
    what: str


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        NO_FUSED_ATTENTION: Rule(
            FUSED_NAMES,
            FUSED_MODULES,
            FUSED_TEXT,
            "Here attention is to be written out: make the scores, the mask, the softmax and the blend yourself.",
        )
    }
)


def refusal(source: str, rules: Sequence[str]) -> str:
    """A sentence on the first thing that one of `rules` refuses, or "". Raises KeyError for an unknown rule."""
    try:
        tree = ast.parse(source) if rules else ast.Module([], [])
        for rule in map(RULES.__getitem__, rules):
            found = min(_finds(tree, rule), key=lambda found: found.line, default=None)
            if found is not None:
                return f"Line {found.line} uses {found.what}, which this exercise does not allow. {rule.remedy}"
    except (SyntaxError, ValueError):
        return ""
    except (RecursionError, MemoryError):
        return "The source is nested too deeply to be read."
    return ""


def _finds(tree: ast.Module, rule: Rule) -> Iterator[Found]:
    """Raises RecursionError for attributes that are looked up one on another without end."""
    own = _Own(tree)
    parts: set[int] = set()  # ids of what is part of a longer path or text: with that one it was looked at already
    for node in ast.walk(tree):  # what holds another comes before it
        if id(node) in parts:
            continue
        match node:
            case ast.Import():
                paths = [alias.name for alias in node.names]
            case ast.ImportFrom():
                paths = [_path(node, alias) for alias in node.names]
            case ast.Attribute():
                paths = own.paths(node)
                parts.update(map(id, _chain(node)))
            case ast.Name(ctx=ast.Load()) if node.id not in own.bound:
                paths = [node.id]
            case ast.Constant() | ast.BinOp() | ast.JoinedStr() | ast.Call() if id(node) not in own.comments:
                text = _text(node, parts)
                held = rule.text.search(text)
                if held and _could_be_code(text):
                    yield Found(node.lineno, f"the text {held.group()!r} (in a comment it may stand)")
                continue
            case _:
                continue
        yield from (Found(node.lineno, path) for path in paths if _is_refused(path, rule))


def _could_be_code(text: str) -> bool:
    """A word, such as a name, a path or an operator; or what Python can read. An error message is neither."""
    if len(text.split()) == 1:
        return True
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _is_refused(path: str, rule: Rule) -> bool:
    inside = any(path == module or path.startswith(f"{module}.") for module in rule.modules)
    return inside or rule.names.fullmatch(path.rpartition(".")[2]) is not None


def _path(node: ast.ImportFrom, alias: ast.alias) -> str:
    return f"{node.module or ''}.{alias.name}"


class _Own:
    """What a source itself defines, and what its imports are called in it."""

    def __init__(self, tree: ast.Module) -> None:
        self.imported: dict[str, str] = {}  # local name -> dotted path
        self.bound: set[str] = set()  # by a definition, an assignment or a parameter
        self.methods: set[str] = set()  # and attributes that are assigned
        self.comments: set[int] = set()  # ids of the texts that stand alone as a statement
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    for alias in node.names:
                        first = alias.name.partition(".")[0]
                        self.imported[alias.asname or first] = alias.name if alias.asname else first
                case ast.ImportFrom():
                    for alias in node.names:
                        self.imported[alias.asname or alias.name] = _path(node, alias)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self.bound.add(node.name)
                    if isinstance(node, ast.ClassDef):
                        self.methods.update(*map(_names_bound, node.body))
                case ast.Name(ctx=ast.Store()):
                    self.bound.add(node.id)
                case ast.arg():
                    self.bound.add(node.arg)
                case ast.Attribute(ctx=ast.Store()):
                    self.methods.add(node.attr)
                case ast.Expr(value=ast.Constant(value=str())):
                    self.comments.add(id(node.value))

    def paths(self, node: ast.Attribute) -> list[str]:
        """torch.nn.functional and torch.nn.functional.softmax for F.softmax, if F is imported: the path of the
        attribute and of those that it is looked up on. Of what stands on no name, the attributes alone.

        Without methods and attributes that the source itself defines, of what it did not import.
        """
        chain = [attribute.attr for attribute in reversed(_chain(node))]
        if len(chain) > MOST_ATTRIBUTES:
            raise RecursionError
        base = _chain(node)[-1].value
        name = base.id if isinstance(base, ast.Name) else ""
        start = [self.imported.get(name, name)] if name else []
        return [
            ".".join(start + chain[: index + 1])
            for index, attribute in enumerate(chain)
            if name in self.imported or attribute not in self.methods
        ]


def _names_bound(statement: ast.stmt) -> list[str]:
    """By a definition or an assignment."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _chain(node: ast.Attribute) -> list[ast.Attribute]:
    """The attribute and those that it is looked up on, the innermost last."""
    chain = [node]
    while isinstance(chain[-1].value, ast.Attribute):
        chain.append(chain[-1].value)
    return chain


def _text(node: ast.AST, parts: set[int]) -> str:
    """The text that constants alone make: one, several added or joined, the fixed parts of an f-string; else "".

    A longer one than LONGEST_TEXT is cut. What is put together in it is added to `parts`, but for the constants: each
    is a text of its own too.
    """

    def part(inner: ast.AST) -> str:
        if not isinstance(inner, ast.Constant):
            parts.add(id(inner))
        return _text(inner, parts)

    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=bytes() as data):
            return data.decode("latin-1")
        case ast.BinOp(op=ast.Add()):
            return _joined("", [part(node.left), part(node.right)])
        case ast.FormattedValue():
            return part(node.value)
        case ast.JoinedStr():
            return _joined("", map(part, node.values))
        case ast.Call(func=ast.Attribute(attr="join", value=separator), args=[ast.List() | ast.Tuple() as listed]):
            return _joined(part(separator), map(part, listed.elts))
    return ""


def _joined(separator: str, texts: Iterable[str]) -> str:
    """The same as `separator.join(texts)`, as far as LONGEST_TEXT."""
    joined = ""
    for index, text in enumerate(texts):
        joined = f"{joined}{separator if index else ''}{text}"[:LONGEST_TEXT]
        if len(joined) == LONGEST_TEXT:
            break
    return joined
