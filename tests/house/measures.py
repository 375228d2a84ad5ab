"""What the budgets are about: lengths, parameters, annotations and docstrings, read from the source."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.house.lint import Example

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Measure:
    """One number and the place it was taken at."""

    value: int
    place: str


@dataclass(frozen=True)
class Function:
    """One function of the tree; ``path`` and ``name`` say which, ``node`` is its syntax."""

    path: str
    name: str
    node: AnyFunction

    @property
    def place(self) -> str:
        """Where a reader finds it."""
        return f"{self.path}:{self.node.lineno} {self.name}"

    def length(self) -> Measure:
        """Count the lines from `def` to the end, docstring included, decorators not."""
        return Measure(_end(self.node) - self.node.lineno + 1, self.place)

    def body_length(self) -> Measure:
        """Count the lines without the docstring."""
        return Measure(self.length().value - _docstring_lines(self.node), self.place)

    def parameters(self) -> Measure:
        """Count the parameters, `self` and `cls` and stars left out."""
        return Measure(len(self._positional()) + len(self.node.args.kwonlyargs), self.place)

    def positional(self) -> Measure:
        """Count the parameters that may be given by position."""
        return Measure(len(self._positional()), self.place)

    def lacks_annotation(self) -> Measure:
        """1 where the return type is not written down, else 0."""
        return Measure(int(self.node.returns is None), self.place)

    def _positional(self) -> list[ast.arg]:
        arguments = [*self.node.args.posonlyargs, *self.node.args.args]
        return [one for one in arguments if one.arg not in {"self", "cls", "mcs"}]


def functions(files: Iterable[Example]) -> Iterator[Function]:
    """Every function, method and inner function of some Python files."""
    for file in files:
        for node in ast.walk(ast.parse(file.text)):
            if isinstance(node, AnyFunction):
                yield Function(file.path, node.name, node)


def file_lengths(files: Iterable[Example]) -> Iterator[Measure]:
    """Count the physical lines of each file."""
    for file in files:
        yield Measure(len(file.text.splitlines()), file.path)


def missing_docstrings(files: Iterable[Example]) -> Iterator[Measure]:
    """For every public module, class and function: 1 where it has no docstring, else 0."""
    for file in files:
        module = ast.parse(file.text)
        for node in (module, *_public(module)):
            name = getattr(node, "name", "")
            place = f"{file.path}:{getattr(node, 'lineno', 1)} {name}"
            yield Measure(int(ast.get_docstring(node) is None), place)


def untyped_signatures(files: Iterable[Example]) -> Iterator[Measure]:
    """For every public function: 1 where its signature says `Any`, else 0."""
    for file in files:
        for node in _public(ast.parse(file.text)):
            if isinstance(node, AnyFunction):
                yield Measure(int(_says_any(node)), f"{file.path}:{node.lineno} {node.name}")


def _says_any(node: AnyFunction) -> bool:
    annotations = [node.returns, *(one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg))]
    names = [name for one in annotations if one for name in ast.walk(one) if isinstance(name, ast.Name)]
    return any(name.id == "Any" for name in names)


def _public(parent: ast.AST) -> Iterator[Documented]:
    """Walk public classes and their public methods; what is inside a function is private."""
    for node in ast.iter_child_nodes(parent):
        if not isinstance(node, ast.ClassDef | AnyFunction) or node.name.startswith("_"):
            continue
        if _is_overload(node):
            continue
        yield node
        if isinstance(node, ast.ClassDef):
            yield from _public(node)


def _is_overload(node: ast.ClassDef | AnyFunction) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def _docstring_lines(node: AnyFunction) -> int:
    if ast.get_docstring(node) is None:
        return 0
    return _end(node.body[0]) - node.body[0].lineno + 1


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
