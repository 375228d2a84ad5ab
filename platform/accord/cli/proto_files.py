"""Protobuf files of one folder, by the paths they are imported by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from accord.cli.cases import Outcome, Status
from accord.cli.files import read_schema
from accord.errors import Invalid, error
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord.cli.gathering import Candidate

PROTO: Final = ".proto"


@error
class OutsideRoot(Invalid):
    """A Protobuf file that does not lie below the folder that imports begin in."""

    code: ClassVar[str] = "outside_root"
    template: ClassVar[str] = "{path} is not below {root}; name the folder that imports begin in with --root"
    path: str
    root: str


class ProtoFile(NamedTuple):
    """A Protobuf file: what it is called, the path it is imported by, and its text."""

    candidate: Candidate
    path: str
    text: str


def folder_above(path: Path, paths: Sequence[str]) -> Path | None:
    """The first of the folders among these paths that a file lies in."""
    folders = [Path(one).resolve() for one in paths if Path(one).is_dir()]
    return next((one for one in folders if path.is_relative_to(one)), None)


def proto_file(candidate: Candidate, root: Path) -> ProtoFile:
    """Read a file below the folder that imports begin in.

    Raises `OutsideRoot` and `accord.cli.files.UnreadableFile`.
    """
    if not candidate.path.is_relative_to(root):
        raise OutsideRoot(path=candidate.name, root=str(root))
    text = read_schema(candidate.name, Format.PROTOBUF).text
    return ProtoFile(candidate, candidate.path.relative_to(root).as_posix(), text)


def uncompiled(files: Sequence[ProtoFile], problems: Mapping[str, str]) -> Iterator[Outcome]:
    """What comes of files that cannot be compiled together; ``problems`` says of some what is wrong."""
    for one in files:
        name = one.candidate.name
        if one.path in problems:
            yield Outcome(name, Status.UNREADABLE, problem=problems[one.path])
        else:
            yield Outcome(name, Status.SKIPPED, notes=("not judged: other files cannot be compiled",))
