"""Many files checked in turn: one by one, or as the modules that they make up."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from accord.cli.cases import Outcome, Status
from accord.cli.deciding import decide
from accord.cli.judging import outcome_of, unreadable
from accord.cli.proto_files import PROTO, folder_above, proto_file
from accord.cli.sides import GitSide
from accord.cli.trees import FolderSide
from accord.errors import AccordError
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from accord.cli.gathering import Candidate, Gathered
    from accord.cli.proto_files import ProtoFile
    from accord.cli.sides import Side, TreeSide, Wishes

    Modules: TypeAlias = dict[Path, list[Candidate]]

LATE = "not judged: the time is up (--timeout)"


@dataclass(frozen=True, slots=True)
class Run:
    """Where older versions come from, the paths as named, what the options say, and the seconds there are."""

    side: Side
    paths: Sequence[str]
    wishes: Wishes
    seconds: float

    @property
    def trees(self) -> TreeSide | None:
        """The side, if it has whole folders."""
        return self.side if isinstance(self.side, GitSide | FolderSide) else None

    def outcomes(self, gathered: Gathered) -> Iterator[Outcome]:
        """Yield what comes of every file, then those that were deleted or passed over."""
        end = monotonic() + self.seconds
        trees = self.trees
        modules = {} if trees is None else self._modules(gathered.candidates)
        together = {one.path for files in modules.values() for one in files}
        for candidate in gathered.candidates:
            if candidate.path in together or (trees is not None and trees.lacks(candidate.path)):
                continue
            yield late(candidate) if monotonic() > end else self._single(candidate)
        told: set[str] = set()
        for one in () if trees is None else self._together(modules, trees, end):
            told.add(one.file)
            yield one
        yield from (one for one in self._passed_over(gathered) if one.file not in told)

    def _together(self, modules: Modules, trees: TreeSide, end: float) -> Iterator[Outcome]:
        for root, files in modules.items():
            yield from map(late, files) if monotonic() > end else self._module(root, files, trees)

    def _modules(self, candidates: Iterable[Candidate]) -> Modules:
        """The Protobuf files below a folder that was named, unless somebody says what each refers to."""
        found: Modules = {}
        if self.wishes.references or self.wishes.format not in {None, Format.PROTOBUF}:
            return found
        for one in candidates:
            root = folder_above(one.path, self.paths)
            if one.path.suffix == PROTO and one.entry is None and root is not None:
                found.setdefault(root, []).append(one)
        return found

    def _single(self, candidate: Candidate) -> Outcome:
        try:
            case = self.side.case(candidate, self.wishes)
        except AccordError as problem:
            return unreadable(candidate.name, problem)
        return outcome_of(case)

    def _module(self, root: Path, candidates: Iterable[Candidate], trees: TreeSide) -> Iterator[Outcome]:
        # What it needs is an extra; Avro and JSON Schema are checked without.
        from accord.cli.module_checks import checked_module  # noqa: PLC0415  # see above

        files: list[ProtoFile] = []
        for one in candidates:
            try:
                files.append(proto_file(one, root))
            except AccordError as problem:
                yield unreadable(one.name, problem)
        if not files:
            return
        try:
            decision = decide(self.wishes.chosen, Format.PROTOBUF)
            yield from checked_module(files, trees.tree(root), trees.label, decision)
        except AccordError as problem:
            yield from (unreadable(one.candidate.name, problem) for one in files)

    def _passed_over(self, gathered: Gathered) -> Iterator[Outcome]:
        if self.trees is not None:
            note = f"deleted since {self.trees.label}"
            for path in self.trees.deleted(self.paths, self.wishes.config):
                yield Outcome(path, Status.SKIPPED, notes=(note,))
        for name, reason in gathered.skipped:
            yield Outcome(name, Status.SKIPPED, notes=(reason,))


def late(candidate: Candidate) -> Outcome:
    """What comes of a file when the time is up."""
    return Outcome(candidate.name, Status.UNREADABLE, problem=LATE)
