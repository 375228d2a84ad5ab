"""Two folders compared: each file with the one of the same path, Protobuf files with all around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from accord.cli.cases import Case, Older, Source
from accord.cli.deciding import decide
from accord.cli.files import read_schema
from accord.cli.gathering import gather
from accord.cli.proto_files import PROTO, proto_file
from accord.cli.references import FileResolver
from accord.cli.sides import new_source
from accord.model import Format, SchemaText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.cli.config import Config
    from accord.cli.gathering import Candidate
    from accord.cli.sides import Wishes


@dataclass(frozen=True)
class FolderSide:
    """Older versions are the files of another folder, under the same path; see `accord.cli.sides`."""

    name: str
    new: str

    @cached_property
    def files(self) -> dict[str, Candidate]:
        """The schema files of the folder by path from there."""
        root = Path(self.name).resolve()
        found = gather([self.name], None).candidates
        return {one.path.relative_to(root).as_posix(): one for one in found}

    def case(self, candidate: Candidate, wishes: Wishes) -> Case:
        """The case of a file; see `accord.cli.sides.Side`."""
        new = new_source(candidate, wishes)
        older = self.files.get(self._below(candidate))
        decision = decide(wishes.chosen_for(candidate), new.schema.format)
        if older is None:
            return Case(new, (), decision, notes=(f"new: {self.name} has no such file",))
        schema = replace(read_schema(older.name, wishes.format), references=new.schema.references)
        return Case(new, (Older(Source(older.name, schema, FileResolver()), older.name),), decision)

    def tree(self, _root: Path) -> dict[str, Source]:
        """The Protobuf files of the folder, by path from there."""
        root = Path(self.name).resolve()
        found = [proto_file(one, root) for path, one in self.files.items() if path.endswith(PROTO)]
        return {one.path: Source(one.candidate.name, SchemaText(Format.PROTOBUF, one.text)) for one in found}

    @property
    def label(self) -> str:
        """What the folder is called in sentences."""
        return self.name

    def lacks(self, _path: Path) -> bool:
        """False: what is checked was found in the new folder."""
        return False

    def deleted(self, _paths: Iterable[str], _config: Config | None) -> list[str]:
        """The files of the folder that the new one lacks."""
        return [one.name for path, one in self.files.items() if not Path(self.new, path).is_file()]

    def _below(self, candidate: Candidate) -> str:
        return candidate.path.relative_to(Path(self.new).resolve()).as_posix()
