"""The life of a child of the compiler process: one job, under bounds, one answer, no return."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from accord.formats.protobuf.diagnostics import Diagnostic
from accord.formats.protobuf.exchange import Malformed, Outcome, Status, outcome_message, read_job
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.protoc import compile_files

if TYPE_CHECKING:
    import socket

    from accord.formats.protobuf.exchange import Job

MEBIBYTE: Final = 1024 * 1024
LEAST_MEMORY: Final = 256 * MEBIBYTE
MOST_MEMORY: Final = 2048 * MEBIBYTE
MEMORY_PER_BYTE: Final = 64
LARGEST_FILE: Final = 512 * MEBIBYTE
TALK_SECONDS: Final = 5.0
FAILED: Final = 1
STATISTICS: Final = Path("/proc/self/statm")


def run_job(connection: socket.socket, folder: Path, *, cpu_seconds: int) -> NoReturn:
    """Read a job, do it, answer, and end the process: with 0 once an answer is given."""
    code = FAILED
    try:
        connection.settimeout(TALK_SECONDS)
        job = read_job(connection)
        connection.sendall(outcome_message(_outcome(job, folder, cpu_seconds)))
        code = 0
    except (Malformed, OSError):  # nobody waits for an answer that could be understood
        code = 0
    finally:
        os._exit(code)


def memory_for(job: Job) -> int:
    """Return how many bytes of address space a job may take beyond what the process has."""
    size = len(job.descriptors) + sum(len(text) for text in job.files.values())
    return min(LEAST_MEMORY + MEMORY_PER_BYTE * size, MOST_MEMORY)


def _outcome(job: Job, folder: Path, cpu_seconds: int) -> Outcome:
    flaws = [Diagnostic("", 0, 0, flaw) for path in job.files if (flaw := path_flaw(path))]
    if flaws:
        return Outcome(Status.REFUSED, tuple(flaws))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    space = address_space() + memory_for(job)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    try:
        return compile_files(job, folder)
    except OSError:
        clash = "An import path is that of a folder that another one needs; rename one of the files"
        return Outcome(Status.REFUSED, (Diagnostic("", 0, 0, clash),))


def address_space(statistics: Path = STATISTICS) -> int:
    """Return the bytes of address space this process has; 0 where the system does not tell."""
    try:
        pages = int(statistics.read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
