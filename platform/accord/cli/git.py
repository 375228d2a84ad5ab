"""Old texts out of a Git repository, read and never run.

Only plumbing that looks at stored objects is called (``rev-parse``, ``ls-tree``, ``cat-file``): no index is
refreshed, no filter, hook, pager or other program of the repository's configuration is started, nothing is
fetched. What Git prints is bounded in size and time.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import TYPE_CHECKING, ClassVar, Final

from accord.errors import Invalid, error
from accord.formats import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST_LISTING: Final = 64 * 1024 * 1024
LONGEST_CONTENT: Final = 64 * 1024 * 1024
LONGEST_WORDS: Final = 10_000
SECONDS: Final = 60
REGULAR: Final = frozenset(("100644", "100755"))
SETTINGS: Final = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never")
ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}


@error
class GitProblem(Invalid):
    """A revision that cannot be read; ``details`` says why."""

    code: ClassVar[str] = "git_problem"
    template: ClassVar[str] = "git: {details}"
    details: str


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision: its object and its size in bytes."""

    object: str
    size: int


@dataclass(frozen=True, slots=True)
class Revision:
    """The regular files of one commit by path from the top of the repository; an unborn branch has none."""

    name: str
    top: Path
    blobs: Mapping[str, Blob]

    def together(self, paths: Iterable[str]) -> list[str]:
        """The first of these files that `read` takes at once."""
        known = [one for one in paths if one in self.blobs]
        sizes = accumulate(self.blobs[one].size for one in known)
        return [one for one, size in zip(known, sizes, strict=True) if size <= LONGEST_CONTENT]

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The contents of files; those longer than a schema may be are left out."""
        wanted = [one for one in paths if self.blobs[one].size <= DEFAULT_LIMITS.text_bytes]
        if sum(self.blobs[one].size for one in wanted) > LONGEST_CONTENT:
            raise GitProblem(
                details=f"the files of {self.name} have more than {LONGEST_CONTENT} bytes together"
            )
        asked = "".join(f"{self.blobs[one].object}\n" for one in wanted).encode()
        limit = LONGEST_CONTENT + 200 * (len(wanted) + 1)
        printed = run_git("cat-file", "--batch", asked=asked, limit=limit)
        return dict(zip(wanted, _contents(printed, len(wanted)), strict=True))


def open_revision(name: str) -> Revision:
    """The files of a branch, tag or commit of the repository around the current folder.

    Raises `GitProblem`.
    """
    top = Path(os.fsdecode(run_git("rev-parse", "--show-toplevel").rstrip(b"\n"))).resolve()
    commit = _commit(name)
    if commit is None:
        return Revision(name, top, {})
    listed = run_git("ls-tree", "-r", "-l", "-z", "--full-tree", commit, limit=LONGEST_LISTING)
    return Revision(name, top, dict(_blobs(listed)))


def _commit(name: str) -> str | None:
    if not name or name.startswith("-"):
        raise GitProblem(details=f"{name!r} is no revision")
    try:
        found = run_git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except GitProblem as problem:
        if name == "HEAD" and _is_unborn():
            return None
        advice = "fetch it first; a shallow clone lacks most of them"
        raise GitProblem(details=f"there is no revision {name!r} in this clone; {advice}") from problem
    return found.decode("ascii").strip()


def _is_unborn() -> bool:
    """Tell whether the branch has no commit yet: then everything is new."""
    try:
        run_git("symbolic-ref", "--quiet", "HEAD")
    except GitProblem:
        return False
    return True


def _blobs(listed: bytes) -> Iterable[tuple[str, Blob]]:
    for line in listed.split(b"\0")[:-1]:
        facts, _, path = line.partition(b"\t")
        mode, _, object_, size = facts.decode("ascii").split()
        if mode in REGULAR:
            yield os.fsdecode(path), Blob(object_, int(size))


def _contents(printed: bytes, count: int) -> Iterable[bytes]:
    """Take the answers of ``cat-file --batch`` apart: a line of facts, the content, a line break."""
    at = 0
    for _ in range(count):
        end = printed.index(b"\n", at)
        size = int(printed[at:end].split()[-1])
        yield printed[end + 1 : end + 1 + size]
        at = end + size + 2


def run_git(*arguments: str, asked: bytes = b"", limit: int = LONGEST_WORDS) -> bytes:
    """What a command of Git prints; raises `GitProblem`, also where it prints too much or takes too long."""
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    with TemporaryFile() as questions, TemporaryFile() as complaints:
        questions.write(asked)
        questions.seek(0)
        try:
            process = subprocess.Popen(
                ["git", *settings, "--no-pager", *arguments],  # noqa: S607  # the one on the path
                stdin=questions,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env={**os.environ, **ENVIRONMENT},
                start_new_session=True,  # so that it is ended with whatever it started
            )
        except OSError as problem:
            raise GitProblem(details=f"it cannot be started: {problem.strerror}") from problem
        printed = _bounded(process, limit)
        complaints.seek(0)
        words = complaints.read(LONGEST_WORDS).decode(errors="replace").strip()
    if len(printed) > limit:
        raise GitProblem(details=f"{arguments[0]} prints more than {limit} bytes")
    if process.returncode:
        raise GitProblem(details=words.removeprefix("fatal: ") or f"{arguments[0]} failed")
    return printed


def _bounded(process: subprocess.Popen[bytes], limit: int) -> bytes:
    """Read at most a byte more than the limit, then end the process if it has not ended."""
    timer = Timer(SECONDS, _end, (process,))
    timer.start()
    try:
        with process:
            printed = process.stdout.read(limit + 1) if process.stdout else b""
            if len(printed) > limit:
                _end(process)
    finally:
        timer.cancel()
    return printed


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
