"""The file ``accord.yaml``: which files of a repository are schemas, and how each is judged.

It says nothing about the address of a registry or a token: whoever may change the file must not be able to
send a token elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final, cast

from accord.cli.deciding import Chosen, read_policy
from accord.cli.files import read_text
from accord.cli.globs import glob_flaw, is_covered
from accord.errors import Invalid, error
from accord.model import Format, Level, Reference
from accord.policy.documents.kinds import Choice, Count, Kind, Preset, Text
from accord.policy.documents.level_kind import LevelName
from accord.policy.documents.model import FORMAT_KEYS
from accord.policy.documents.presets import preset_named
from accord.policy.documents.problems import Problems, nearest
from accord.policy.documents.source import LARGEST_TEXT, Listed, Mapped, Scalar, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.policy.documents.model import Setting
    from accord.policy.documents.source import Value

NAME: Final = "accord.yaml"
LONGEST: Final = 500
PATH: Final = Text(LONGEST, "a path below the folder of this file")
TOP: Final = ("against", "schemas")
MEMBERS: Final[dict[str, Kind]] = {
    "format": Choice(("avro", "json")),
    "level": LevelName(),
    "preset": Preset(),
    "policy": PATH,
    "subject": Text(LONGEST, "a subject; {name} is the file's name without its last suffix"),
}
REFERENCE: Final[dict[str, Kind]] = {
    "name": Text(LONGEST, "the name that the schemas use"),
    "file": PATH,
    "subject": Text(LONGEST, "a subject"),
    "version": Count(2**31 - 1),
}
FIRST_FILE_VERSION: Final = 1


@error
class UnusableConfig(Invalid):
    """A config file with something wrong in it; ``problems`` has a line for each."""

    code: ClassVar[str] = "unusable_config"
    template: ClassVar[str] = "{path}: {problems}"
    path: str
    problems: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Some files and how they are judged; ``files`` of references are paths below the config's folder."""

    globs: tuple[str, ...]
    format: Format | None
    chosen: Chosen
    subject: str
    files: tuple[Reference, ...]
    remote: tuple[Reference, ...]

    def subject_of(self, path: Path) -> str:
        """The subject of a file; empty where the entry names none."""
        return self.subject.replace("{name}", path.stem)


@dataclass(frozen=True, slots=True)
class Config:
    """What a config file says; ``folder`` is where it lies."""

    folder: Path
    against: str
    entries: tuple[Entry, ...]

    def entry(self, path: Path) -> Entry | None:
        """The first entry that covers a file, or None."""
        try:
            below = path.relative_to(self.folder).as_posix()
        except ValueError:
            return None
        return next((one for one in self.entries if any(is_covered(g, below) for g in one.globs)), None)


def find_config(start: Path) -> Path | None:
    """The config file of a folder or the nearest above it, no higher than the top of its repository."""
    folders = [start, *start.parents]
    tops = [at for at, folder in enumerate(folders) if (folder / ".git").exists()]
    for folder in folders[: tops[0] + 1 if tops else 1]:
        if (folder / NAME).is_file():
            return folder / NAME
    return None


def read_config(path: Path) -> Config:
    """Read a config file; raises `UnusableConfig` with every problem, and `UnreadableFile`."""
    problems = Problems()
    text = read_text(str(path), LARGEST_TEXT)
    value = read_source(text, is_json=path.suffix == ".json", problems=problems)
    made = None if value is None else _Reader(problems, path.parent.resolve()).config(value)
    if problems.found or made is None:
        raise UnusableConfig(path=str(path), problems="\n  ".join(map(str, problems.sorted())))
    return made


class _Reader:
    """One config being read; ``problems`` collects what is wrong."""

    def __init__(self, problems: Problems, folder: Path) -> None:
        self.problems = problems
        self.folder = folder

    def config(self, value: Value) -> Config | None:
        top = self._object(value, TOP)
        if top is None:
            return None
        entries = self._list(top, "schemas")
        against = self._texts(top, "against", {"against": Text(LONGEST, "git:REVISION or registry:")})
        return Config(self.folder, against.get("against", ""), tuple(self._entries(entries)))

    def _entries(self, values: Iterable[Value]) -> Iterable[Entry]:
        for value in values:
            held = self._object(value, ("files", *MEMBERS, "references"))
            if held is not None:
                yield self._entry(held)

    def _entry(self, held: Mapped) -> Entry:
        said = self._settings(held, MEMBERS)
        references = [self._reference(one) for one in self._list(held, "references", is_needed=False)]
        policy = said.get("policy")
        place = self._inside(held, str(policy)) if policy else None
        document = None if place is None else read_policy(place)
        preset = preset_named(str(said["preset"])) if "preset" in said else None
        return Entry(
            globs=tuple(self._globs(held)),
            format=FORMAT_KEYS[str(said["format"])] if "format" in said else None,
            chosen=Chosen(cast("Level | None", said.get("level")), preset, document),
            subject=str(said.get("subject", "")),
            files=tuple(one for one, is_file in references if is_file),
            remote=tuple(one for one, is_file in references if not is_file),
        )

    def _globs(self, held: Mapped) -> Iterable[str]:
        written = held.members.get("files")
        for item in written.items if isinstance(written, Listed) else [written]:
            if not isinstance(item, Scalar) or item.is_null:
                place = held.place if item is None else item.place
                self.problems.add(place, "'files' is a pattern of paths, or a list of them; write one")
                continue
            flaw = glob_flaw(item.text)
            if flaw is not None:
                self.problems.add(item.place, flaw)
            yield item.text

    def _reference(self, value: Value) -> tuple[Reference, bool]:
        held = self._object(value, REFERENCE)
        said = {} if held is None else self._settings(held, REFERENCE)
        is_file = "file" in said
        if held is not None and ("name" not in said or is_file == ("subject" in said)):
            self.problems.add(held.place, "a reference has a name, and a file or a subject with its version")
        if held is not None and is_file:
            self._inside(held, str(said["file"]))
        target = said.get("file") or said.get("subject") or ""
        version = FIRST_FILE_VERSION if is_file else cast("int", said.get("version", -1))
        return Reference(str(said.get("name", "")), str(target), version), is_file

    def _inside(self, held: Mapped, path: str) -> Path | None:
        """The place of a file that the config names, which must lie below the config's folder."""
        meant = (self.folder / path).resolve()
        if PurePosixPath(path).is_absolute() or not meant.is_relative_to(self.folder):
            self.problems.add(held.place, f"{path!a} leads out of the folder of this file")
            return None
        return meant

    def _settings(self, held: Mapped, kinds: dict[str, Kind]) -> dict[str, Setting]:
        read = {
            name: kind.read(held.members[name], self.problems)
            for name, kind in kinds.items()
            if name in held.members
        }
        return {name: value for name, value in read.items() if value is not None}

    def _texts(self, held: Mapped, name: str, kinds: dict[str, Kind]) -> dict[str, str]:
        return {key: str(value) for key, value in self._settings(held, kinds).items() if key == name}

    def _list(self, held: Mapped, name: str, *, is_needed: bool = True) -> list[Value]:
        value = held.members.get(name)
        if isinstance(value, Listed) and (value.items or not is_needed):
            return value.items
        if value is not None or is_needed:
            self.problems.add(held.place if value is None else value.place, f"{name!r} is a list; write one")
        return []

    def _object(self, value: Value, known: Iterable[str]) -> Mapped | None:
        """An object whose members are all known; the others are noted."""
        if not isinstance(value, Mapped):
            self.problems.add(value.place, f"an object belongs here, with any of {', '.join(sorted(known))}")
            return None
        for key, place in value.keys.items():
            if key not in known:
                self.problems.add(place, f"there is no member {key[:60]!a} here; {nearest(key, known)}")
        return value
