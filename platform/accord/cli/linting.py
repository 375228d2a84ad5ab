"""Files to what lint says of them: Avro and JSON Schema one by one, Protobuf files with all around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from accord.cli.cases import Case, Outcome, Source, Status
from accord.cli.deciding import HERE, UNNUMBERED, Decision
from accord.cli.files import parse_schema
from accord.cli.judging import unreadable
from accord.cli.proto_files import PROTO, folder_above, proto_file, uncompiled
from accord.cli.references import file_source
from accord.errors import AccordError
from accord.formats.positions import Position
from accord.lint.profile import LintProfile
from accord.lint.schemas import lint_files, lint_schema
from accord.lint.table import LINT, Category
from accord.model import Format, SchemaText, Severity, SubjectName, Verdict
from accord.policy import Policy
from accord.policy.effective import Installation
from accord.policy.explanation import MOST_FINDINGS, ExplainedFinding, Explanation, Texts, explain
from accord.policy.inheritance import Binding, effective

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.cli.gathering import Candidate, Gathered
    from accord.cli.proto_files import ProtoFile
    from accord.lint.hits import LintFinding
    from accord.model import Reference
    from accord.policy.documents import PolicyDocument


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for: rules, or a policy that names them; and how files are read."""

    document: PolicyDocument | None
    use: tuple[str, ...]
    without: tuple[str, ...]
    root: str | None
    format: Format | None
    references: tuple[Reference, ...]

    def profile(self, candidate: Candidate, format_: Format) -> LintProfile:
        """The rules for a file; those of its entry in the config where the options name none."""
        own = candidate.entry.chosen.document if candidate.entry is not None else None
        document = self.document or own
        if self.use or document is None:
            return LintProfile(self.use or (Category.STANDARD,), self.without)
        binding = Binding(HERE, UNNUMBERED, document)
        found = effective([binding], format_, subject=SubjectName(candidate.name)).lint
        use = found.use or (Category.STANDARD,)
        return replace(found, use=use, without=(*found.without, *self.without))


def linted(gathered: Gathered, paths: Sequence[str], wanted: Wanted) -> list[Outcome]:
    """What comes of every file, in the order of gathering; files of one root are compiled together."""
    outcomes: dict[str, Outcome] = {}
    roots: dict[Path, list[ProtoFile]] = {}
    for candidate in gathered.candidates:
        try:
            if _is_proto(candidate, wanted):
                root, file = _proto_file(candidate, paths, wanted)
                roots.setdefault(root, []).append(file)
            else:
                outcomes[candidate.name] = _single(candidate, wanted)
        except AccordError as problem:
            outcomes[candidate.name] = unreadable(candidate.name, problem)
    for files in roots.values():
        outcomes |= {one.file: one for one in _together(files, wanted)}
    ordered = [outcomes[one.name] for one in gathered.candidates]
    return [*ordered, *(Outcome(name, Status.SKIPPED, notes=(why,)) for name, why in gathered.skipped)]


def _is_proto(candidate: Candidate, wanted: Wanted) -> bool:
    return (wanted.format is None and candidate.path.suffix == PROTO) or wanted.format is Format.PROTOBUF


def _proto_file(candidate: Candidate, paths: Sequence[str], wanted: Wanted) -> tuple[Path, ProtoFile]:
    named = None if wanted.root is None else Path(wanted.root).resolve()
    root = named or folder_above(candidate.path, paths) or Path.cwd().resolve()
    return root, proto_file(candidate, root)


def _single(candidate: Candidate, wanted: Wanted) -> Outcome:
    source = file_source(candidate.name, wanted.format, wanted.references)
    schema = parse_schema(source.name, source.schema, source.resolver, strict=False)
    found = lint_schema(schema, wanted.profile(candidate, schema.format), name=candidate.name)
    told = explain(Verdict((), found), Texts(schema.format, source.schema.text))
    return _outcome(source, told.own)


def _together(files: Sequence[ProtoFile], wanted: Wanted) -> Iterator[Outcome]:
    # What it needs is an extra; Avro and JSON Schema are linted without.
    from accord.cli.proto_modules import compiled_module  # noqa: PLC0415  # see above

    module, problems = compiled_module({one.path: one.text for one in files})
    if module is None:
        yield from uncompiled(files, problems)
        return
    found: dict[str, list[LintFinding]] = {one.path: [] for one in files}
    for finding in lint_files(module, wanted.profile(files[0].candidate, Format.PROTOBUF)):
        found[finding.file].append(finding)
    for one in files:
        source = Source(one.candidate.name, SchemaText(Format.PROTOBUF, one.text))
        yield _outcome(source, map(_explained, found[one.path][:MOST_FINDINGS]))


def _explained(one: LintFinding) -> ExplainedFinding:
    row = LINT.rows[one.rule]
    place = Position(one.line, one.column)
    return ExplainedFinding(
        one.rule, one.severity, row.summary, one.path, place, None, one.message, row.advice
    )


def _outcome(source: Source, findings: Iterable[ExplainedFinding]) -> Outcome:
    own = tuple(findings)
    severities = {one.severity for one in own}
    is_allowed = Severity.BLOCK not in severities
    return Outcome(
        source.name,
        Status.ALLOWED if is_allowed else Status.BLOCKED,
        Case(source, (), Decision(Policy(Installation().level))),
        Explanation(is_allowed, "", own, ()),
        has_warnings=Severity.WARN in severities,
    )
