"""What a house lint is and how the tree is held against a table of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]

Find = Callable[[str], Iterable[int]]


@dataclass(frozen=True)
class Example:
    """A file as a lint sees it: its path below the root and its text."""

    path: str
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Lint:
    """One row: where it looks, where it looks away, what it finds, why, and examples of both."""

    id: str
    why: str
    paths: tuple[str, ...]
    find: Find
    good: tuple[Example, ...]
    bad: tuple[Example, ...]
    allowed: tuple[str, ...] = ()

    def lines(self, example: Example) -> list[int]:
        """Return the numbers of the offending lines of a file, first line 1."""
        if not matches(example.path, self.paths) or matches(example.path, self.allowed):
            return []
        return list(self.find(example.text))


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a path fits one of the patterns; `*` also crosses folders."""
    return any(fnmatch(path, pattern) for pattern in patterns)


def line(pattern: str) -> Find:
    """Make a search that reports each line in which the regular expression is found."""
    compiled = re.compile(pattern)

    def find(text: str) -> Iterator[int]:
        for number, content in enumerate(text.splitlines(), start=1):
            if compiled.search(content):
                yield number

    return find


def always(_: str) -> tuple[int, ...]:
    """Report a file for being there."""
    return (1,)


def tree(root: Path = ROOT) -> Iterator[Example]:
    """Every text file of a tree that Git tracks or would track."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        path = root / name
        if path.is_file():
            yield Example(name, path.read_text(encoding="utf-8", errors="replace"))


def offences(lints: Iterable[Lint], files: Iterable[Example]) -> Iterator[str]:
    """Hold each file against each lint and describe every offence in one line."""
    rows = tuple(lints)
    for file in files:
        for lint in rows:
            for number in lint.lines(file):
                yield f"{file.path}:{number}: {lint.id} {lint.why}"
