"""Buf's command line over many random modules at once, and what it says that we do not, or we alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Told: TypeAlias = tuple[str, str, int]
Differences: TypeAlias = dict[int, tuple[set[Told], set[Told]]]
BINARIES = Path(__file__).parents[2] / "node_modules" / "@bufbuild"
FOUND_SOMETHING = 100


def binary() -> str:
    """Return the path of Buf's program."""
    return str(next(BINARIES.glob("buf-*/bin/buf")))


def told_by_buf(folder: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """Run one of Buf's commands in a folder and yield what it finds."""
    command = [binary(), *arguments, "--error-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in {0, FOUND_SOMETHING}:
        raise RuntimeError(done.stderr)
    yield from map(json.loads, done.stdout.splitlines())


def write_modules(folder: Path, modules: Mapping[int, Mapping[str, str]], settings: str) -> None:
    """Write the texts of modules by number, and a ``buf.yaml`` that names them and ends with the settings."""
    roots = "".join(f"\n  - path: m{number}" for number in modules)
    folder.mkdir(exist_ok=True)
    Path(folder, "buf.yaml").write_text(f"version: v2\nmodules:{roots}\n{settings}\n")
    for number, texts in modules.items():
        for path, text in texts.items():
            file = Path(folder, f"m{number}", path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def unlike(theirs: Mapping[int, set[Told]], mine: Mapping[int, set[Told]]) -> Differences:
    """Return what only Buf tells and what only we tell, by number; equal ones are left out."""
    return {
        number: (found - mine[number], mine[number] - found)
        for number, found in theirs.items()
        if found != mine[number]
    }


def report(found: Differences, compared: str) -> int:
    """Print what differs, and return the exit code."""
    for number, (theirs, mine) in found.items():
        print(number, "only Buf:", sorted(theirs), "only Accord:", sorted(mine))
    print(f"{compared}, {len(found)} differ")
    return 1 if found else 0
