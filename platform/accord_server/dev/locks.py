"""Resolve the dependencies of pyproject.toml into requirements/*.txt, every file with its hashes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
# The oldest Python we support decides: what it can use, newer ones can.
UV: Final = (
    str(Path(sys.executable).with_name("uv")), "pip", "compile", "--quiet", "--python-version", "3.11",
    "--generate-hashes", "--no-emit-index-url", "--no-header",
)  # fmt: skip
# What a container holds; everything in it stands in the locks below, with the same version.
SERVER: Final = "requirements/server.txt"
EXTRAS: Final = {
    "requirements/run.txt": ("protobuf", "server", "embedded"),
    "requirements/dev.txt": ("protobuf", "server", "embedded", "spark", "dev"),
}


def main(*options: str) -> None:
    """Write the locks; ``--upgrade`` among the options takes the newest of everything."""
    for path, extras in EXTRAS.items():
        wanted = [word for extra in extras for word in ("--extra", extra)]
        resolve(*wanted, *options, "pyproject.toml", "--output-file", path)
    resolve("--extra", "protobuf", "--extra", "server", "--constraint", "requirements/run.txt",
            "pyproject.toml", "--output-file", SERVER)  # fmt: skip
    resolve("requirements/installer.in", "--constraint", "requirements/dev.txt",
            "--output-file", "requirements/installer.txt")  # fmt: skip


def resolve(*words: str) -> None:
    """Run uv's resolver in the project."""
    subprocess.run([*UV, *words], cwd=ROOT, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
