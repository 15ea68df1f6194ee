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
from collections.abc import Iterator, Mapping, Sequence
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
    own = _Own(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                paths = [alias.name for alias in node.names]
            case ast.ImportFrom():
                paths = [_path(node, alias) for alias in node.names]
            case ast.Attribute() if not own.defines(node):
                paths = [own.path(node)]
            case ast.Name(ctx=ast.Load()) if node.id not in own.bound:
                paths = [node.id]
            case ast.Constant() | ast.BinOp() | ast.JoinedStr() | ast.Call() if id(node) not in own.comments:
                text = _text(node)
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

    def path(self, node: ast.Attribute) -> str:
        """torch.nn.functional.softmax for F.softmax; of what stands on no name, the attributes alone."""
        base, names = _unwound(node)
        if isinstance(base, ast.Name):
            names.append(self.imported.get(base.id, base.id))
        return ".".join(reversed(names))

    def defines(self, node: ast.Attribute) -> bool:
        """Whether it is a method or an attribute that the source itself defines, of what it did not import."""
        base, _ = _unwound(node)
        is_imported = isinstance(base, ast.Name) and base.id in self.imported
        return node.attr in self.methods and not is_imported


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


def _unwound(node: ast.Attribute) -> tuple[ast.expr, list[str]]:
    """What the attributes are looked up on, and their names, the last one first."""
    base: ast.expr = node
    names = []
    while isinstance(base, ast.Attribute):
        names.append(base.attr)
        base = base.value
    return base, names


def _text(node: ast.AST) -> str:
    """The text that constants alone make: one, several added or joined, the fixed parts of an f-string; else ""."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=bytes() as data):
            return data.decode("latin-1")
        case ast.BinOp(op=ast.Add()):
            return _text(node.left) + _text(node.right)
        case ast.FormattedValue():
            return _text(node.value)
        case ast.JoinedStr():
            return "".join(map(_text, node.values))
        case ast.Call(func=ast.Attribute(attr="join", value=separator), args=[ast.List() | ast.Tuple() as parts]):
            return _text(separator).join(map(_text, parts.elts))
    return ""
