"""What the policy in force says of a set as the next version of a module, and what is refused."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.model import Format, Severity
from accord.policy.explanation import sentence_of
from accord.policy.level_names import spell_level
from registry.module_errors import IncompatibleModule, ModuleLintRefused
from registry.module_records import ModuleJudgement, ModuleVersionRow
from registry.queries.bound_policies import effective_policy
from registry.queries.modules import module_name
from registry.queries.proto_files import stored_sets
from registry.queries.standing import settings_of
from registry.services.module_judging import SetNodes, judged, linted
from registry.services.requirements import module_findings, require_module_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.formats.protobuf.filing import FiledFile
    from accord.lint.hits import LintFinding
    from accord.model import Verdict
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.records import SettingsInForce

SHOWN: Final = 20
KEPT: Final = 50


class Candidate(NamedTuple):
    """The files of an upload, and the versions and settings that they were held against."""

    files: tuple[FiledFile, ...]
    properties: Mapping[str, str]
    rows: tuple[ModuleVersionRow, ...]
    settings: SettingsInForce
    policy: EffectivePolicy
    judgement: ModuleJudgement


def usable_of(rows: Iterable[ModuleVersionRow]) -> list[ModuleVersionRow]:
    """Return the versions that are not disabled: what new ones are held against, the last one *latest*."""
    return [one for one in rows if not one.is_disabled]


def judge_set(
    scope: Scope,
    module: str,
    files: tuple[FiledFile, ...],
    rows: Sequence[ModuleVersionRow],
    properties: Mapping[str, str] | None,
) -> Candidate:
    """Judge a set as the next version of a module that has these, oldest first.

    ``properties`` are what is said of it, None for what the latest version says.
    """
    subject, usable = module_name(module), usable_of(rows)
    settings = settings_of(scope, subject)
    policy = effective_policy(scope, subject, Format.PROTOBUF, settings)
    said = properties if properties is not None else (usable[-1].properties if usable else {})
    new = SetNodes(files)
    judgement = ModuleJudgement(
        spell_level(policy.level.value),
        policy.preset.value,
        judged(new, usable, policy.policy, partial(nodes_of, scope)),
        linted(new, policy.lint),
        module_findings(new.files, policy, subject, said) if settings.bound else (),
    )
    return Candidate(files, said, tuple(rows), settings, policy, judgement)


def nodes_of(scope: Scope, row: ModuleVersionRow) -> SetNodes:
    """Return the files of a version as nodes."""
    return SetNodes(stored_sets(scope, {row.set_key})[row.set_key])


def refuse(module: str, candidate: Candidate) -> None:
    """Refuse what the policy in force does not let in.

    Raises:
        ContentRefused, ModuleLintRefused, IncompatibleModule: With what is wrong.
    """
    judgement = candidate.judgement
    require_module_content(module_name(module), judgement.own, candidate.policy)
    blocking = [one for one in judgement.lint if one.severity is Severity.BLOCK]
    if blocking:
        raise ModuleLintRefused(_listed(map(_lint_words, blocking)), judgement.lint)
    if not judgement.verdict.is_allowed:
        raise IncompatibleModule(module, verdict_in_words(judgement.verdict), judgement.verdict)


def kept_findings(verdict: Verdict) -> list[dict[str, str | int | None]]:
    """Return findings to be kept with a version: enough to read later."""
    found: list[dict[str, str | int | None]] = [
        {
            "rule": finding.rule,
            "severity": finding.severity,
            "path": finding.path,
            "direction": one.direction,
            "version": one.version,
        }
        for one in verdict.comparisons
        for finding in one.findings
    ]
    return found[:KEPT]


def verdict_in_words(verdict: Verdict) -> str:
    """Return what blocks, the first so many."""
    return _listed(
        f"{finding.rule} at {finding.path}, version {one.version}: {sentence_of(finding, one.direction)}"
        for one in verdict.comparisons
        for finding in one.findings
        if finding.severity is Severity.BLOCK
    )


def _lint_words(one: LintFinding) -> str:
    return f"{one.rule} at {one.file}:{one.line}:{one.column}: {one.message}"


def _listed(sentences: Iterable[str]) -> str:
    found = list(dict.fromkeys(sentences))
    more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return "; ".join((*found[:SHOWN], *more))
