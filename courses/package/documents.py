"""Reading files: text with its encoding checked, YAML with the line of every key, front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from courses.package.problems import Problems, Where

Key = tuple[str | int, ...]
FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map")}


@dataclass(frozen=True)
class Document:
    """A YAML document: its data, the line of each key and item, and the line where each text begins."""

    file: str
    data: Any = None
    keys: Mapping[Key, int] = field(default_factory=dict)
    texts: Mapping[Key, int] = field(default_factory=dict)

    def where(self, *path: str | int) -> Where:
        """The place of the key or item at `path`; where that is missing, of what it is missing from."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.keys:
                return Where(self.file, self.keys[path[:length]])
        return Where(self.file)

    def text_at(self, *path: str | int) -> Where:
        """The place where the text at `path` begins: after the `|` of a literal block."""
        return Where(self.file, self.texts[path]) if path in self.texts else self.where(*path)

    def known(self, path: Key) -> Key:
        """`path` without the elements that are no keys of this document (pydantic adds the names of variants)."""
        found: Key = ()
        for element in path:
            if (*found, element) in self.keys:
                found = (*found, element)
        return found


def read_text(root: Path, file: str, problems: Problems) -> str | None:
    """The text of a file with Unix line ends, or None with a problem."""
    path = root / file
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        problems.add(Where(file), "this file is missing: add it")
        return None
    except OSError as error:
        problems.add(Where(file), f"this file cannot be read: {error.strerror}")
        return None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        problems.add(Where(file, line), "not UTF-8: save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_yaml(root: Path, file: str, problems: Problems) -> Document | None:
    """A YAML file, or None with a problem."""
    text = read_text(root, file, problems)
    return None if text is None else parse_yaml(text, Where(file), problems)


def split_front_matter(text: str, file: str, problems: Problems) -> tuple[Document | None, str, int]:
    """Front matter (None where there is none), the text after it, and the line where that begins."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return None, text, 1
    document = parse_yaml(match[1], Where(file, 2), problems) or Document(file)
    return document, text[match.end() :], text[: match.end()].count("\n") + 1


def parse_yaml(text: str, start: Where, problems: Problems) -> Document | None:
    """YAML 1.2 by ruamel's safe loader; duplicate keys, aliases and tags are problems. `start` is the first line."""
    loader = YAML(typ="safe", pure=True)
    before = len(problems.found)
    try:
        node = loader.compose(text)
        if node is None:
            problems.add(start, "this file is empty: write its content")
            return None
        reader = _Reader(loader, start, problems)
        data = reader.value(node, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        problems.add(start.later(mark.line if mark else 0), f"not valid YAML: {said}")
        return None
    except YAMLError as error:
        problems.add(start, f"not valid YAML: {' '.join(str(error).split())}")
        return None
    return Document(start.file, data, reader.keys, reader.texts) if len(problems.found) == before else None


class _Reader:
    """Turns a tree of YAML nodes into plain data, and notes the lines."""

    def __init__(self, loader: YAML, start: Where, problems: Problems) -> None:
        self.loader = loader
        self.start = start
        self.problems = problems
        self.seen: set[int] = set()
        self.keys: dict[Key, int] = {(): start.line}
        self.texts: dict[Key, int] = {}

    def place(self, node: Node) -> Where:
        return self.start.later(node.start_mark.line)

    def value(self, node: Node, path: Key) -> Any:
        if id(node) in self.seen:
            self.problems.add(self.place(node), f"the alias &{node.anchor} is used: write its content out")
            return None
        self.seen.add(id(node))
        if str(node.tag) not in PLAIN_TAGS:
            message = f"this is read as {str(node.tag).rpartition(':')[2]}: put it in quotes if it is text"
            self.problems.add(self.place(node), message)
            return None
        if isinstance(node, MappingNode):
            return self.mapping(node, path)
        if isinstance(node, SequenceNode):
            return [self.item(child, (*path, index)) for index, child in enumerate(node.value)]
        block = isinstance(node, ScalarNode) and node.style in ("|", ">")
        self.texts[path] = self.place(node).line + block
        return self.loader.constructor.construct_object(node, deep=True)

    def item(self, node: Node, path: Key) -> Any:
        self.keys[path] = self.place(node).line
        return self.value(node, path)

    def mapping(self, node: MappingNode, path: Key) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key, place = str(key_node.value), self.place(key_node)
            if key in data:
                first = self.keys[(*path, key)]
                self.problems.add(place, f"the key `{key}` is here twice (first on line {first}): keep one of them")
                continue
            self.keys[(*path, key)] = place.line
            data[key] = self.value(value_node, (*path, key))
        return data
