"""Uploading sets of descriptors as versions of modules: judged before anything is locked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from accord.formats.protobuf.filing import set_digest
from accord.model import Format, Severity
from accord.policy.explanation import sentence_of
from accord.policy.level_names import spell_level
from accord_server.kit import outbox
from registry.errors import TooMuchContention
from registry.models import Module, ModuleVersion
from registry.module_errors import IncompatibleModule, InvalidModule, ModuleChanged, ModuleLintRefused
from registry.module_records import LintedSet, ModuleJudgement, ModuleVersionRow, UploadedVersion
from registry.queries.bound_policies import effective_policy
from registry.queries.modules import (
    WRITE,
    admit_to_module,
    lock_module,
    lock_or_add_module,
    module_name,
    module_versions,
)
from registry.queries.proto_files import stored_sets
from registry.queries.settings import mode_in_force
from registry.queries.standing import settings_of
from registry.services.events import MODULE_DELETED, MODULE_UPLOADED
from registry.services.filing import store_set
from registry.services.gathering import gathered
from registry.services.heavy import turn_for
from registry.services.linting import or_hints
from registry.services.module_judging import SetNodes, judged, linted
from registry.services.situation import require_writable
from tenants.access import require
from tenants.records import AuditEntry
from tenants.services import record_audit
from tenants.services.quotas import require_room, require_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.formats.protobuf.filing import FiledFile
    from accord.lint.hits import LintFinding
    from accord.model import Verdict
    from accord_server.kit.scope import Scope
    from registry.module_records import UploadSet
    from registry.records import SettingsInForce

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
ATTEMPTS: Final = 8
CHECK: Final = "compat.check"
DELETE: Final = "subject.purge"
# Ready descriptors are read and compared in a small part of the time that texts take.
BYTES_PER_CHARACTER: Final = 4
SHOWN: Final = 20
KEPT: Final = 50


class _Candidate(NamedTuple):
    """The files of an upload, and the versions and settings that they were held against."""

    files: tuple[FiledFile, ...]
    history: tuple[ModuleVersionRow, ...]
    settings: SettingsInForce
    judgement: ModuleJudgement


def upload_set(scope: Scope, command: UploadSet) -> UploadedVersion:
    """Store a set as the next version of a module, or return the latest version if that is the same set.

    Raises:
        InvalidModule, InvalidUpload, FilesMissing, InvalidSchema, SchemaTooLarge: The request is wrong.
        RightMissing: ``desc.write`` is missing.
        ModuleNotFound, ModuleVersionNotFound: It depends on a module that may not be read.
        ReadOnly: The mode only reads.
        ModuleChanged: Another version is the latest than the command expects.
        IncompatibleModule, ModuleLintRefused: The policy in force does not let it in.
        QuotaReached, SchemaAboveQuota: The tenant would have more than it may.
        TooBusy, TooMuchContention, CompilerUnavailable: It may work later.
    """
    subject = module_name(_checked_name(command.module))
    require(scope, WRITE, subject)
    require_writable(subject, mode_in_force(scope, subject).name)
    for _ in range(ATTEMPTS):
        with turn_for(_weight(command)):
            history = module_versions(scope, command.module)
            files = gathered(scope, command, _latest(scope, history, noted=_is_by_digest(command)))
            if _is_latest(scope, history, files):
                return UploadedVersion(history[-1], is_new=False)
            _expect(command, history)
            require_size(scope, max(len(one.data) for one in files))
            candidate = _judged(scope, command.module, files, history)
        _refuse(command.module, candidate.judgement)
        with transaction.atomic():
            stored = _store(scope, command.module, candidate)
        if stored is not None:
            return UploadedVersion(stored, is_new=True, judgement=candidate.judgement)
    raise TooMuchContention(command.module)


def check_set(scope: Scope, command: UploadSet) -> ModuleJudgement:
    """Return what an upload would be told, and store nothing.

    Raises:
        ModuleNotFound, RightMissing: ``compat.check`` is missing on the module, or it may not be seen.
        InvalidModule, InvalidUpload and what else `upload_set` raises of the files.
    """
    admit_to_module(scope, _checked_name(command.module), CHECK)
    with turn_for(_weight(command)):
        history = module_versions(scope, command.module)
        files = gathered(scope, command, _latest(scope, history, noted=_is_by_digest(command)))
        return _judged(scope, command.module, files, history).judgement


def lint_set(scope: Scope, command: UploadSet) -> LintedSet:
    """Lint a set by the policy in force; where none asks for lint, by hints that refuse nothing.

    Raises:
        ModuleNotFound, RightMissing: ``compat.check`` is missing on the module, or it may not be seen.
        InvalidModule, InvalidUpload and what else `upload_set` raises of the files.
    """
    subject = module_name(_checked_name(command.module))
    admit_to_module(scope, command.module, CHECK)
    with turn_for(_weight(command)):
        history = module_versions(scope, command.module)
        files = gathered(scope, command, _latest(scope, history, noted=_is_by_digest(command)))
        profile = effective_policy(scope, subject, Format.PROTOBUF, settings_of(scope, subject)).lint
        counting = or_hints(profile)
        return LintedSet(linted(SetNodes(files), counting), counting.use, is_asked=bool(profile.use))


def delete_module_version(scope: Scope, name: str, number: int | None) -> list[int]:
    """Delete a version of a module for good, or all of them; return the numbers of those that went.

    Numbers never come twice. Files that nothing else uses are collected later.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: It is not there, or may not be seen.
        RightMissing: ``subject.purge`` is missing.
        ReadOnly: The mode only reads.
    """
    admit_to_module(scope, name, DELETE)
    subject = module_name(name)
    require_writable(subject, mode_in_force(scope, subject).name)
    with transaction.atomic():
        rows = lock_module(scope, name, number)
        ModuleVersion.objects.scoped(scope).filter(pk__in=list(rows)).delete()
        numbers = sorted(rows.values())
        named = {"module": name, "versions": numbers}
        outbox.emit(scope, MODULE_DELETED, named)
        record_audit(scope, entry=AuditEntry(MODULE_DELETED, "module", name, before=named))
    return numbers


def _expect(command: UploadSet, history: Sequence[ModuleVersionRow]) -> None:
    latest = history[-1].number if history else 0
    if command.expected not in {None, latest}:
        raise ModuleChanged(command.module, latest, command.expected or 0)


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise InvalidModule(name[:SHOWN])
    return name


def _weight(command: UploadSet) -> int:
    return len(command.data) // BYTES_PER_CHARACTER + sum(map(len, command.texts.values()))


def _is_by_digest(command: UploadSet) -> bool:
    """Tell whether files are only named, and keep what is noted of them."""
    return command.digests is not None


def _latest(
    scope: Scope, history: Sequence[ModuleVersionRow], *, noted: bool = False
) -> tuple[FiledFile, ...]:
    """Return the files of the latest version, ``noted`` with all that is kept of their texts."""
    if not history:
        return ()
    key = history[-1].set_key
    return stored_sets(scope, {key}, notes=noted, texts=noted)[key]


def _is_latest(scope: Scope, history: Sequence[ModuleVersionRow], files: Sequence[FiledFile]) -> bool:
    """Tell whether a set is the latest version; one without notes is the same as with whatever notes."""
    if not history:
        return False
    if set_digest(files) == history[-1].digest:
        return True
    if any(one.note_digest for one in files):
        return False
    return set_digest(files) == set_digest(_latest(scope, history))


def _judged(
    scope: Scope, module: str, files: tuple[FiledFile, ...], history: Sequence[ModuleVersionRow]
) -> _Candidate:
    settings = settings_of(scope, module_name(module))
    policy = effective_policy(scope, module_name(module), Format.PROTOBUF, settings)
    new = SetNodes(files)

    def read(row: ModuleVersionRow) -> SetNodes:
        return SetNodes(stored_sets(scope, {row.set_key})[row.set_key])

    verdict = judged(new, history, policy.policy, read)
    judgement = ModuleJudgement(
        spell_level(policy.level.value), policy.preset.value, verdict, linted(new, policy.lint)
    )
    return _Candidate(files, tuple(history), settings, judgement)


def _refuse(module: str, judgement: ModuleJudgement) -> None:
    blocking = [one for one in judgement.lint if one.severity is Severity.BLOCK]
    if blocking:
        raise ModuleLintRefused(_listed(map(_lint_words, blocking)), judgement.lint)
    if not judgement.verdict.is_allowed:
        raise IncompatibleModule(module, _listed(_verdict_words(judgement.verdict)), judgement.verdict)


def _store(scope: Scope, module: str, candidate: _Candidate) -> ModuleVersionRow | None:
    """Store a candidate; None where what it was held against is not what is there any more."""
    key, newest = lock_or_add_module(scope, module)
    now = settings_of(scope, module_name(module))
    if tuple(module_versions(scope, module)) != candidate.history or now != candidate.settings:
        return None
    number, judgement = newest + 1, candidate.judgement
    set_key = store_set(scope, candidate.files)
    Module.objects.scoped(scope).filter(pk=key).update(newest=number)
    row = ModuleVersion.objects.insert(
        scope,
        module_id=key,
        number=number,
        set_id=set_key,
        level=judgement.level,
        findings=_kept(judgement.verdict),
        created_by=scope.principal.key,
    )
    named = {"module": module, "version": number}
    outbox.emit(scope, MODULE_UPLOADED, named)
    record_audit(scope, entry=AuditEntry(MODULE_UPLOADED, "module", f"{module}/{number}", after=named))
    require_room(scope)
    digest = set_digest(candidate.files)
    return ModuleVersionRow(module, number, digest, set_key, row.level, row.created_at, row.created_by)


def _kept(verdict: Verdict) -> list[dict[str, str | int | None]]:
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


def _verdict_words(verdict: Verdict) -> list[str]:
    return [
        f"{finding.rule} at {finding.path}, version {one.version}: {sentence_of(finding, one.direction)}"
        for one in verdict.comparisons
        for finding in one.findings
        if finding.severity is Severity.BLOCK
    ]


def _lint_words(one: LintFinding) -> str:
    return f"{one.rule} at {one.file}:{one.line}:{one.column}: {one.message}"


def _listed(sentences: Iterable[str]) -> str:
    found = list(dict.fromkeys(sentences))
    more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return "; ".join((*found[:SHOWN], *more))
