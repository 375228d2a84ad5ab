"""Protobuf files that import each other, checked together: what comes of each of them.

Both sides are compiled as they are, without references that somebody would have to name. Presets that look
at all files of a set get the whole modules; those that know a schema as one file get each file by itself.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from accord.cli.cases import Case, Older, Outcome, Source, Status
from accord.cli.explaining import explained
from accord.cli.proto_files import uncompiled
from accord.cli.proto_modules import compiled_module
from accord.cli.renames import likeliest
from accord.diff.protobuf_sides import WHOLE_SETS
from accord.formats.positions import pointer_tokens
from accord.formats.protobuf.module_schema import file_in_module, module_schema
from accord.formats.protobuf.noted import NotedText
from accord.lint.profile import NO_LINT
from accord.model import Format, SchemaText, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry
from accord.policy.comparison import Budget
from accord.policy.judgement import Trials
from accord.policy.matrix import LevelVerdict
from accord.policy.verdict_words import level_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord.cli.deciding import Decision
    from accord.cli.proto_files import ProtoFile
    from accord.formats.protobuf.model import FileSet
    from accord.formats.protobuf.module_schema import ModuleSchema
    from accord.formats.protobuf.positions import ProtoPlaces
    from accord.model import Comparison, Finding
    from accord.policy import Policy

# For a whole module; it is the machine of whoever asks.
STEPS: Final = 50_000_000
EMPTY: Final = SchemaText(Format.PROTOBUF, "")
NOT_LINTED: Final = "the lint rules of the policy are not looked at here: see accord lint --policy"


def checked_module(
    new: Sequence[ProtoFile], old: Mapping[str, Source], label: str, decision: Decision
) -> Iterator[Outcome]:
    """Yield what comes of the new files of a module, and of old ones whose loss breaks something.

    ``old`` holds the older files by path; ``label`` names them all in sentences.
    """
    texts = {one.path: one.text for one in new}
    with ThreadPoolExecutor(2) as pool:
        ours = pool.submit(compiled_module, texts)
        theirs = pool.submit(compiled_module, {path: one.schema.text for path, one in old.items()})
        (module, problems), (older, old_problems) = ours.result(), theirs.result()
    if module is None:
        yield from uncompiled(new, problems)
    elif older is None:
        path, problem = next(iter(old_problems.items()))
        for one in new:
            yield Outcome(one.candidate.name, Status.UNREADABLE, problem=f"{old[path].name}: {problem}")
    else:
        made = _ModuleCheck({one.path: one for one in new}, old, label, decision, module.files, older.files)
        yield from made.outcomes()


@dataclass
class _ModuleCheck:
    """Two compiled modules and what decides; findings belong to the file that they name first."""

    new: Mapping[str, ProtoFile]
    old: Mapping[str, Source]
    label: str
    decision: Decision
    files: FileSet
    older: FileSet
    budget: Budget = field(default_factory=lambda: Budget(STEPS, STEPS))

    def outcomes(self) -> Iterator[Outcome]:
        verdicts = self._verdicts(self.decision.policy)
        for path in self.new:
            yield self._outcome(path, verdicts.get(path, Verdict()))
        for path, verdict in verdicts.items():
            if path not in self.new:
                yield self._outcome(path, verdict)

    def _verdicts(self, policy: Policy) -> dict[str, Verdict]:
        """What the files come to that have findings."""
        found: dict[str, list[Comparison]] = {}
        for owner, trials in self._trials:
            for one in trials.verdict(policy).comparisons:
                for path, findings in self._by_file(one, owner).items():
                    found.setdefault(path, []).append(replace(one, findings=tuple(findings)))
        return {path: Verdict(tuple(comparisons)) for path, comparisons in found.items()}

    @cached_property
    def _trials(self) -> list[tuple[str | None, Trials]]:
        """The comparisons to make; those of a file by itself with its path."""
        if self.is_whole:
            return [(None, self._against(module_schema(self.files), module_schema(self.older)))]
        return [(path, self._one(path, before)) for path, before in self.before.items()]

    def _one(self, path: str, before: str) -> Trials:
        new = file_in_module(self.files, path, self.new[path].text)
        return self._against(new, file_in_module(self.older, before, self.old[before].schema.text))

    def _against(self, new: ModuleSchema, old: ModuleSchema) -> Trials:
        return Trials(new, [HistoryEntry(None, old)], budget=self.budget)

    @cached_property
    def is_whole(self) -> bool:
        return self.decision.policy.profile.protobuf.pairing in WHOLE_SETS

    @cached_property
    def before(self) -> Mapping[str, str]:
        """What new files were called; a renamed one matters only where files are compared one by one."""
        found = {path: path for path in self.new if path in self.old}
        gone = {path: one.schema.text.encode() for path, one in self.old.items() if path not in self.new}
        for path, one in self.new.items():
            likely = None if self.is_whole or path in found else likeliest(one.text, gone)
            if likely is not None:
                found[path] = likely
                del gone[likely]
        return found

    def _by_file(self, comparison: Comparison, owner: str | None) -> Mapping[str, Sequence[Finding]]:
        if owner is not None:
            return {owner: [one for one in comparison.findings if self._is_told_by(owner, one)]}
        found: dict[str, list[Finding]] = {}
        for one in comparison.findings:
            path = pointer_tokens(one.path)[0]
            # What names no file, such as a check that is too large, concerns all of them.
            known = path if path in self.new or path in self.old else next(iter(self.new))
            found.setdefault(known, []).append(one)
        return found

    def _is_told_by(self, owner: str, finding: Finding) -> bool:
        """Tell whether a finding is the file's own; what refuses nothing is left to the file it is in."""
        path = pointer_tokens(finding.path)[0] if finding.path != "/" else owner
        return finding.severity is Severity.BLOCK or path == owner or path not in self.before

    def _outcome(self, path: str, found: Verdict) -> Outcome:
        case = self._case(path)
        own = self._own(path)
        verdict = replace(found, own=own)
        return Outcome(
            case.new.name,
            Status.ALLOWED if verdict.is_allowed else Status.BLOCKED,
            case,
            explained(case, verdict, path=path, known=self._places(path)),
            case.notes,
            has_warnings=any(one.severity is Severity.WARN for one in verdict.findings),
            levels=lambda: {
                name: level_word(LevelVerdict(name, replace(one.get(path, Verdict()), own=own)))
                for name, one in self._levels.items()
            },
        )

    def _places(self, path: str) -> dict[str, ProtoPlaces]:
        """The places of both texts of a file, by text."""
        new, before = self.new.get(path), self.before.get(path, path)
        old = self.old.get(before)
        found: dict[str, ProtoPlaces] = {}
        if new is not None:
            found[new.text] = NotedText(self.files.by_path[path], new.text, path)
        if old is not None:
            text = old.schema.text
            found[text] = NotedText(self.older.by_path[before], text, path)
        return found

    def _own(self, path: str) -> tuple[Finding, ...]:
        """What the policy asks of a new file by itself, but for lint, which looks at modules."""
        asked = self.decision.requirements
        if asked is None or path not in self.new:
            return ()
        schema = file_in_module(self.files, path, self.new[path].text)
        return replace(self.decision, requirements=replace(asked, lint=NO_LINT)).own_findings(schema, "")

    def _case(self, path: str) -> Case:
        new, old = self.new.get(path), self.old.get(self.before.get(path, path))
        history = () if old is None else (Older(old, self.label),)
        notes = [] if old is not None else [f"new: {self.label} has no such file"]
        if self.before.get(path, path) != path:
            notes.append(f"renamed from {self.before[path]}")
        if self.decision.requirements is not None and self.decision.requirements.lint.use:
            notes.append(NOT_LINTED)
        notes += self.decision.notes
        if new is None:
            name = old.name if old is not None else path
            return Case(Source(name, EMPTY), history, self.decision, notes=("deleted", *notes))
        source = Source(new.candidate.name, SchemaText(Format.PROTOBUF, new.text))
        return Case(source, history, self.decision, notes=tuple(notes))

    @cached_property
    def _levels(self) -> Mapping[str, Mapping[str, Verdict]]:
        """What comes of the files under every level that have findings."""
        found = {}
        for name, level in CONFLUENT_LEVELS.items():
            for _, trials in self._trials:
                trials.refill()
            found[name] = self._verdicts(replace(self.decision.policy, level=level))
        return found
