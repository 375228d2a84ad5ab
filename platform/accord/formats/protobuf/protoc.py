"""One run of protoc, in a process that nobody else needs: files in, descriptors and remarks out.

The one module that knows grpcio-tools. protoc may die of what it reads and writes its remarks to the
process's standard error, so this is called in a child of the compiler process and nowhere else.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

# Keeps the package from teaching Python's import system about .proto files; read when it is imported.
os.environ["GRPC_PYTHON_DISABLE_DYNAMIC_STUBS"] = "1"

import grpc_tools
from grpc_tools import _protoc_compiler

from accord.formats.protobuf.builtin import OURS
from accord.formats.protobuf.diagnostics import Diagnostic, unsupported_edition
from accord.formats.protobuf.exchange import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.exchange import Job

GOOGLES: Final = Path(str(grpc_tools.__file__)).with_name("_proto")
REMARK: Final = re.compile(
    r"(?P<file>.+?):(?:(?P<line>\d+):(?P<column>\d+):)? (?P<warning>warning: )?(?P<message>.*)"
)
UNKNOWN_EDITION: Final = re.compile(r'Unknown edition "(.+)"\.')
SHOWN_REMARKS: Final = 1_000
SHOWN_BYTES: Final = 1_048_576
STDERR: Final = 2


def compile_files(job: Job, folder: Path) -> Outcome:
    """Compile the files of a job in an empty folder of its own.

    Standard error is turned into a file for good. The paths must have passed
    `accord.formats.protobuf.paths.path_flaw`.
    """
    files, known, out, said = (folder / name for name in ("files", "known", "out", "said"))
    for path, text in job.files.items():
        place = files / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    known.write_bytes(job.descriptors)
    arguments = [
        "protoc",
        *(f"-I{root}" for root in (files, OURS, GOOGLES)),
        *([f"--descriptor_set_in={known}"] if job.descriptors else []),
        f"--descriptor_set_out={out}",
        "--include_imports",
        "--retain_options",  # those that no program needs when it runs are part of the schema as well
        *(["--include_source_info"] if job.has_source_info else []),
        *(str(files / path) for path in job.files),
    ]
    _redirect(said)
    code = _protoc_compiler.run_main([argument.encode() for argument in arguments])
    diagnostics = tuple(_diagnostics(said, f"{files}/"))
    if code != 0 or not out.exists():
        return Outcome(Status.REFUSED, diagnostics or (Diagnostic("", 0, 0, "protoc refused it silently"),))
    return Outcome(Status.COMPILED, diagnostics, out.read_bytes())


def _redirect(said: Path) -> None:
    descriptor = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(descriptor, STDERR)


def _diagnostics(said: Path, prefix: str) -> Iterator[Diagnostic]:
    with said.open("rb") as file:
        text = file.read(SHOWN_BYTES).decode(errors="replace")
    for line in text.replace(prefix, "").splitlines()[:SHOWN_REMARKS]:
        found = REMARK.fullmatch(line)
        # Lines of its log say nothing that the remarks do not.
        if found and not found["file"].startswith("WARNING") and not _is_log(line):
            place = (int(found["line"] or 0), int(found["column"] or 0))
            message = UNKNOWN_EDITION.sub(lambda named: unsupported_edition(named[1]), found["message"])
            yield Diagnostic(found["file"], *place, message, is_warning=bool(found["warning"]))


def _is_log(line: str) -> bool:
    return re.match(r"[IWEF]\d{4} ", line) is not None
