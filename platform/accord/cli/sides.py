"""The old side of a check: a Git revision, a registry, or nothing yet."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

import click

from accord.cli.cases import Case, Older, Source
from accord.cli.deciding import Chosen, decide
from accord.cli.files import STDIN, UnreadableFile, decoded, read_schema
from accord.cli.gathering import absolute
from accord.cli.proto_files import PROTO
from accord.cli.references import FileResolver
from accord.cli.remote import NEW_SUBJECT, Judge
from accord.cli.renames import MOST_COMPARED, likeliest
from accord.cli.sniffing import SUFFIXES
from accord.client import RegistryDenied, RegistryNotFound
from accord.client.checks import PATIENCE_S
from accord.errors import Invalid, ReferenceNotFound, error
from accord.model import Format, Level
from accord.naming import parse_subject
from accord.policy.level_names import read_level, spell_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.cli.config import Config
    from accord.cli.gathering import Candidate
    from accord.cli.git import Revision
    from accord.client import RegistryClient
    from accord.model import Reference, ReferenceResolver, SchemaText

MOST_VERSIONS: Final = 10_000


@error
class NoSubject(Invalid):
    """A file that is to be compared with a registry and whose subject nobody names."""

    code: ClassVar[str] = "no_subject"
    template: ClassVar[str] = "{path}: no subject; write --against registry:SUBJECT, or one in the config"
    path: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the options say for all files of a check."""

    chosen: Chosen
    format: Format | None = None
    references: tuple[Reference, ...] = ()
    config: Config | None = None

    def chosen_for(self, candidate: Candidate) -> Chosen:
        """What decides about a file: options before the config."""
        entry = candidate.entry
        return self.chosen if entry is None else self.chosen.over(entry.chosen)

    def format_of(self, candidate: Candidate) -> Format | None:
        """The format somebody named, or None."""
        return self.format or (None if candidate.entry is None else candidate.entry.format)

    def files_of(self, candidate: Candidate) -> tuple[Reference, ...]:
        """References to files, each subject a path."""
        if candidate.entry is None or self.config is None:
            return self.references
        folder = self.config.folder
        own = tuple(replace(one, subject=str(folder / one.subject)) for one in candidate.entry.files)
        return (*own, *self.references)


class Side(Protocol):
    """Where older versions come from."""

    def case(self, candidate: Candidate, wishes: Wishes) -> Case:
        """The case of a file; raises an `accord.errors.AccordError` where something cannot be read."""
        ...


class TreeSide(Side, Protocol):
    """A side that has whole folders, and so can tell what is there no longer."""

    @property
    def label(self) -> str:
        """What it is called in sentences."""
        ...

    def tree(self, root: Path, /) -> dict[str, Source]:
        """The Protobuf files that stand against those below a folder, by path from there."""
        ...

    def lacks(self, path: Path, /) -> bool:
        """Tell whether a file that this side has is gone, rather than never there."""
        ...

    def deleted(self, paths: Iterable[str], config: Config | None, /) -> list[str]:
        """The schema files below the paths that are there no longer, under whatever name."""
        ...


def new_source(candidate: Candidate, wishes: Wishes, client: RegistryClient | None = None) -> Source:
    """The new schema of a file with its references."""
    if not candidate.path.is_file():
        raise UnreadableFile(path=candidate.name, details="no such file, or not a regular one")
    files = wishes.files_of(candidate)
    remote = () if candidate.entry is None else candidate.entry.remote
    schema = replace(read_schema(candidate.name, wishes.format_of(candidate)), references=(*files, *remote))
    return Source(candidate.name, schema, Resolver(frozenset(files), FileResolver(), client))


@dataclass(frozen=True, slots=True)
class Resolver:
    """References to files by one resolver, all others by the registry."""

    files: frozenset[Reference]
    by_file: ReferenceResolver
    client: RegistryClient | None

    def resolve(self, reference: Reference) -> SchemaText:
        """The text a reference stands for; see `accord.model.ReferenceResolver`."""
        if reference in self.files:
            return self.by_file.resolve(reference)
        if self.client is None:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        return self.client.resolve(reference)


class GitSide:
    """Older versions are those of a revision, under the same path or under the one before a renaming."""

    def __init__(self, revision: Revision, client: RegistryClient | None) -> None:
        self.revision = revision
        self.client = client
        self.contents: dict[str, bytes] = {}
        self.gone = [
            path
            for path in revision.blobs
            if Path(path).suffix in SUFFIXES and not os.path.lexists(revision.top / path)
        ]

    def case(self, candidate: Candidate, wishes: Wishes) -> Case:
        """The case of a file; see `Side`."""
        below = self.place(candidate.path, candidate.name)
        new = new_source(candidate, wishes, self.client)
        decision = decide(wishes.chosen_for(candidate), new.schema.format, subject=_subject(candidate))
        found, notes = self._old(below, new.schema.text)
        history = () if found is None else (self._older(found, new, candidate, wishes),)
        return Case(new, history, decision, _subject(candidate), notes)

    def fetch(self, candidates: Iterable[Candidate]) -> None:
        """Read the older texts of many files at once, so that Git is not started for each."""
        top = self.revision.top
        inside = [one.path.relative_to(top).as_posix() for one in candidates if one.path.is_relative_to(top)]
        self._read(self.revision.together(inside))

    def _read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The contents of files, those that are too long left out; what was read is remembered."""
        wanted = list(paths)
        missing = [one for one in wanted if one not in self.contents]
        if missing:
            self.contents |= self.revision.read(missing)
        return {one: self.contents[one] for one in wanted if one in self.contents}

    def place(self, path: Path, name: str) -> str:
        """The path of a file from the top of the repository; raises `UnreadableFile` for one outside."""
        itself = absolute(str(path))
        if not all(one.is_relative_to(self.revision.top) for one in (itself, path.resolve())):
            raise UnreadableFile(path=name, details=f"outside the repository {self.revision.top}")
        return itself.relative_to(self.revision.top).as_posix()

    def _old(self, below: str, text: str) -> tuple[str | None, tuple[str, ...]]:
        if below in self.revision.blobs:
            return below, ()
        alike = [path for path in self.gone if Path(path).suffix == Path(below).suffix]
        before = likeliest(text, self._read(self.revision.together(alike[:MOST_COMPARED])))
        if before is None:
            return None, (f"new: git:{self.revision.name} has no such file",)
        self.gone.remove(before)
        return before, (f"renamed from {before}",)

    def _older(self, path: str, new: Source, candidate: Candidate, wishes: Wishes) -> Older:
        files = wishes.files_of(candidate)
        remote = tuple(one for one in new.schema.references if one not in files)
        return Older(self.source(path, wishes.format_of(candidate), files, remote), self.label)

    @property
    def label(self) -> str:
        """What the revision is called in sentences."""
        return f"git:{self.revision.name}"

    def source(
        self,
        path: str,
        format_: Format | None,
        files: Iterable[Reference] = (),
        remote: Iterable[Reference] = (),
    ) -> Source:
        """A file as it was, its path from the top, with those references to files that there were.

        Raises `UnreadableFile`.
        """
        name = f"{self.label}:{path}"
        if path not in self.revision.blobs:
            raise UnreadableFile(path=name, details="the revision has no such file")
        content = self._read([path]).get(path)
        if content is None:
            raise UnreadableFile(path=name, details="longer than a schema may be")
        known = tuple(one for one in files if self._blob(one) is not None)
        schema = replace(decoded(path, content, format_), references=(*known, *remote))
        return Source(name, schema, Resolver(frozenset(known), self, self.client))

    def _blob(self, reference: Reference) -> str | None:
        path = Path(reference.subject).resolve()
        if not path.is_relative_to(self.revision.top):
            return None
        below = path.relative_to(self.revision.top).as_posix()
        return below if below in self.revision.blobs else None

    def resolve(self, reference: Reference) -> SchemaText:
        """The text of a referenced file as it was; see `accord.model.ReferenceResolver`."""
        below = self._blob(reference)
        content = None if below is None else self._read([below]).get(below)
        if content is None:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        return decoded(reference.subject, content)

    def tree(self, root: Path) -> dict[str, Source]:
        """The Protobuf files below a folder as they were, by path from there; hidden ones are left out.

        Raises `UnreadableFile` and `accord.cli.git.GitProblem`.
        """
        if not root.is_relative_to(self.revision.top):
            raise UnreadableFile(path=str(root), details=f"outside the repository {self.revision.top}")
        folder = PurePosixPath(root.relative_to(self.revision.top).as_posix())
        below = {path: PurePosixPath(path) for path in self.revision.blobs if path.endswith(PROTO)}
        inside = {path: one.relative_to(folder) for path, one in below.items() if one.is_relative_to(folder)}
        shown = {path: one for path, one in inside.items() if not any(p.startswith(".") for p in one.parts)}
        found = {}
        for path, text in self.revision.read(shown).items():
            name = f"{self.label}:{path}"
            found[shown[path].as_posix()] = Source(name, decoded(name, text, Format.PROTOBUF))
        return found

    def lacks(self, path: Path) -> bool:
        """Tell whether a file is gone; see `TreeSide`."""
        is_inside = path.is_relative_to(self.revision.top)
        return is_inside and path.relative_to(self.revision.top).as_posix() in self.gone

    def deleted(self, paths: Iterable[str], config: Config | None) -> list[str]:
        """The files that are there no longer; see `TreeSide`."""
        named = [absolute(name) for name in paths]
        top = self.revision.top
        places = [one.relative_to(top).as_posix() for one in named if one.is_relative_to(top)]
        return [
            path
            for path in self.gone
            if any(one in (".", path) or path.startswith(f"{one}/") for one in places)
            and (config is None or config.entry(self.revision.top / path) is not None)
        ]


ONLY_LEVEL: Final = "judged here by the registry's level, not by its policies"


@dataclass(frozen=True, slots=True)
class RegistrySide:
    """Older versions are those of a subject: the one that is named, else the config's.

    A namespace of Accord gives the verdict itself, by the policies in force there; ``patience`` is how many
    seconds it may take over one.
    """

    client: RegistryClient
    subject: str = ""
    version: int | None = None
    patience: float = PATIENCE_S
    judge: Judge = field(init=False)

    def __post_init__(self) -> None:
        """Make the judge, which remembers what the registry is."""
        object.__setattr__(self, "judge", Judge(self.client, self.patience))

    def case(self, candidate: Candidate, wishes: Wishes) -> Case:
        """The case of a file; see `Side`.

        Where nobody says here how to judge, or just at which level, a namespace of Accord does it. With
        another registry its level counts, and its own word too; its word alone where the token may not see
        the level. References to files and one older version by itself are unknown to any registry.
        """
        subject = self.subject or _subject(candidate)
        if not subject:
            raise NoSubject(path=candidate.name)
        new = new_source(candidate, wishes, self.client)
        chosen = wishes.chosen_for(candidate)
        is_known = self.version is None and not wishes.files_of(candidate)
        if is_known and chosen.preset is None and chosen.document is None:
            level = "" if chosen.level is None else spell_level(chosen.level)
            judged = self.judge.case(new, subject, level=level)
            if judged is not None:
                return judged
        case = self._case(new, subject, chosen, is_theirs=chosen.is_silent and is_known)
        is_partial = chosen.is_silent and not is_known and self.client.is_namespace
        return replace(case, notes=(*case.notes, ONLY_LEVEL)) if is_partial else case

    def compared(self, new: Source, subject: str) -> Case:
        """The case of a schema that the registry refused, whose own word counts even if it shows nothing."""
        judged = self.judge.case(new, subject)
        if judged is not None:
            return judged
        case = self._case(new, subject, Chosen(), is_theirs=True)
        return replace(case, ask=lambda: self.client.check(parse_subject(subject), new.schema))

    def _case(self, new: Source, subject: str, chosen: Chosen, *, is_theirs: bool) -> Case:
        history = self.history(subject)
        level = self._level(subject) if chosen.level is None and history else None
        notes = () if history else (NEW_SUBJECT.format(subject=subject),)
        if is_theirs and history and level is None:
            level, notes = Level(), ("the registry does not tell its level, so its own word counts",)
        decision = decide(chosen, new.schema.format, subject=subject, shown_level=level)
        name = parse_subject(subject)
        ask = (lambda: self.client.check(name, new.schema)) if is_theirs and history else None
        return Case(new, history, decision, subject, notes, ask)

    def history(self, subject: str) -> tuple[Older, ...]:
        """The live versions, oldest first; none where the registry shows no such subject."""
        name = parse_subject(subject)
        if self.version is not None:
            return (self._older(subject, self.version),)
        try:
            numbers = self.client.versions(name)
        except RegistryNotFound:
            return ()
        return tuple(self._older(subject, number) for number in numbers[-MOST_VERSIONS:])

    def loaded(self, subject: str) -> tuple[Older, ...]:
        """The versions of a subject that must be there, with all they refer to.

        Raises `accord.client.RegistryNotFound` for a subject without live versions.
        """
        if self.version is not None:
            return (self._older(subject, self.version),)
        numbers = self.client.versions(parse_subject(subject))
        return tuple(self._older(subject, number) for number in numbers)

    def _older(self, subject: str, number: int) -> Older:
        found = self.client.version(parse_subject(subject), number)
        source = Source(f"{subject} version {number}", found.schema, self.client)
        return Older(source, f"version {number}", number)

    def _level(self, subject: str) -> Level | None:
        """The level in force, where the token may see it."""
        try:
            return read_level(self.client.level(parse_subject(subject)))
        except (RegistryNotFound, RegistryDenied):
            return None


def _subject(candidate: Candidate) -> str:
    return "" if candidate.entry is None else candidate.entry.subject_of(candidate.path)


@dataclass(frozen=True, slots=True)
class Against:
    """What ``--against`` says: a Git revision, or a subject of a registry (empty: the config's)."""

    kind: str
    name: str
    version: int | None = None


def against(text: str) -> Against:
    """Read ``git:REVISION``, ``registry:``, ``registry:SUBJECT`` or ``registry:SUBJECT@VERSION``."""
    kind, colon, name = text.partition(":")
    if not colon or kind not in ("git", "registry") or (kind == "git" and not name):
        raise click.BadParameter(
            f"{text!r} is neither git:REVISION nor registry:SUBJECT; to compare files: accord check OLD NEW"
        )
    subject, at, version = name.rpartition("@")
    if kind == "registry" and at and version.isdecimal() and 0 < len(version) < len("10000000000"):
        return Against(kind, subject, int(version))
    return Against(kind, name)


def numbered(sources: Sequence[Source]) -> tuple[Older, ...]:
    """A history of files, oldest first."""
    labels = ("the standard input" if one.name == STDIN else one.name for one in sources)
    return tuple(
        Older(one, label, number)
        for number, (one, label) in enumerate(zip(sources, labels, strict=True), start=1)
    )
