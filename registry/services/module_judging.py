"""Whole sets of Protobuf files held against each other, and linted, by the policy in force.

Presets that look at all files of a set get the whole sets; those that know a schema as one file get each file
by itself. Files that are the same, with all they import, have nothing to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.diff.protobuf_sides import WHOLE_SETS
from accord.formats.protobuf.descriptors import OptionReader
from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.module_schema import file_in_module, module_schema
from accord.formats.protobuf.sets import file_text
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import lint_files
from accord.model import Comparison, Direction, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Budget, HistoryEntry, Policy
from accord.policy.changes import TELLS_ALL
from accord.policy.judgement import Trials
from registry.services.judging import sides_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.filing import FiledFile
    from accord.formats.protobuf.model import FileSet
    from accord.lint.hits import LintFinding
    from accord.lint.profile import LintProfile
    from accord.model import Finding
    from registry.module_records import ModuleVersionRow

    Reader: TypeAlias = Callable[[ModuleVersionRow], "SetNodes"]

MOST_FINDINGS: Final = 1_000


@dataclass(frozen=True)
class SetNodes:
    """A set as nodes, read when somebody asks."""

    filed: Sequence[FiledFile]

    @cached_property
    def protos(self) -> dict[str, FileDescriptorProto]:
        """The descriptors by path, imports first, with their notes."""
        return {one.path: one.noted for one in self.filed}

    @cached_property
    def own(self) -> frozenset[str]:
        """The paths of the files that are the module's own."""
        return frozenset(one.path for one in self.filed if not one.is_import)

    @cached_property
    def files(self) -> FileSet:
        """The nodes."""
        sources = {path: SourceInfo(one) for path, one in self.protos.items() if path in self.own}
        imports = self.protos.keys() - self.own
        return file_set(self.protos.values(), imports=imports, sources=sources)

    @cached_property
    def marks(self) -> dict[str, bytes]:
        """A digest of each file with all that it imports, directly or not."""
        found: dict[str, bytes] = {}
        for one in self.filed:
            behind = (found[path] for path in self.protos[one.path].dependency)
            found[one.path] = sha256(b"".join((one.digest, *behind))).digest()
        return found

    def text(self, path: str) -> str:
        """A file as somebody might have written it."""
        return file_text(self.protos[path], self._options)

    @cached_property
    def _options(self) -> OptionReader:
        return OptionReader(self.protos.values())


def judged(
    new: SetNodes,
    history: Sequence[ModuleVersionRow],
    policy: Policy,
    read: Reader,
    *,
    about: int | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Return the verdict on a set against the versions that the level asks for, newest first.

    It ends with the first version that blocks; ``read`` hands out a version, ``about`` names one beside which
    the others do not count. However much there is, it takes at most the steps of one check, or what
    ``budget`` has left; then it blocks.
    """
    budget = budget or Budget()
    made: list[Comparison] = []
    for age, row in enumerate(reversed(history)):
        if about not in {None, row.number}:
            continue
        for side in sides_at(policy.level, row.number, age=age):
            made += _compared(new, read(row), replace(policy, level=side), row.number, budget)
        if any(one.is_blocked for one in made):
            break
    return Verdict(tuple(made))


def linted(new: SetNodes, profile: LintProfile) -> tuple[LintFinding, ...]:
    """Return what lint finds in the module's own files; without rules to use there is nothing to find."""
    return tuple(lint_files(Module(new.files), profile)[:MOST_FINDINGS]) if profile.use else ()


def differences(new: SetNodes, old: SetNodes) -> dict[Direction, tuple[Finding, ...]]:
    """Return all that differs between two sets, from both sides, weighed as ``accord diff`` does."""
    policy = Policy(CONFLUENT_LEVELS["FULL"], TELLS_ALL)
    found: dict[Direction, list[Finding]] = {one: [] for one in Direction}
    for trials in _trials(new, old, policy, None, Budget()):
        for one in trials.verdict(policy).comparisons:
            found[one.direction] += one.findings
    return {direction: tuple(findings) for direction, findings in found.items()}


def _compared(new: SetNodes, old: SetNodes, policy: Policy, number: int, budget: Budget) -> list[Comparison]:
    """Compare two sets as the one level of the policy asks, and put together what is found of their files."""
    found: dict[Direction, list[Finding]] = {}
    for trials in _trials(new, old, policy, number, budget):
        for one in trials.verdict(policy).comparisons:
            found.setdefault(one.direction, []).extend(one.findings)
    return [Comparison(side, number, tuple(findings)) for side, findings in found.items()]


def _trials(
    new: SetNodes, old: SetNodes, policy: Policy, number: int | None, budget: Budget
) -> Iterator[Trials]:
    if policy.profile.protobuf.pairing in WHOLE_SETS:
        entry = HistoryEntry(number, module_schema(old.files))
        yield Trials(module_schema(new.files), [entry], budget=budget)
        return
    for path in sorted(new.own & old.own):
        if new.marks[path] != old.marks[path]:
            entry = HistoryEntry(number, file_in_module(old.files, path, old.text(path)))
            yield Trials(file_in_module(new.files, path, new.text(path)), [entry], budget=budget)
