"""A Dockerfile and its `.dockerignore`, read as far as the tests ask."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Instruction:
    """One instruction of a stage; what stands before the first stage belongs to none."""

    stage: int
    word: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its words; an instruction in the form of JSON is read as such."""
        if self.text.startswith("["):
            return [str(one) for one in json.loads(self.text)]
        return self.text.split()

    @property
    def sources(self) -> list[str]:
        """What a COPY takes, without its options."""
        return [one for one in self.words if not one.startswith("--")][:-1]

    @property
    def origin(self) -> str:
        """The stage that a COPY takes from; empty for the folder of the project."""
        found = re.search(r"--from=(\S+)", self.text)
        return found[1] if found else ""


def instructions(text: str) -> Iterator[Instruction]:
    """Yield the instructions, lines that go on joined."""
    stage = -1
    whole = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    for line in re.sub(r"\\\n\s*", "", whole).splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        stage += word == "FROM"
        yield Instruction(stage, word, rest.strip())


def is_sent(path: str, ignore: str) -> bool:
    """Tell whether a file reaches the build: the last line that speaks of it or of a folder above decides."""
    sent = True
    for line in ignore.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        if _speaks_of(pattern.removeprefix("!"), path):
            sent = pattern.startswith("!")
    return sent


def _speaks_of(pattern: str, path: str) -> bool:
    parts = path.split("/")
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    if pattern.startswith("**/"):
        return any(fnmatch(part, pattern.removeprefix("**/")) for part in parts)
    # A star stands for no slash.
    return any(one.count("/") == pattern.count("/") and fnmatch(one, pattern) for one in above)
