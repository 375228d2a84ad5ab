"""Uploading sets of descriptors as versions of modules: judged before anything is locked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from accord.formats.protobuf.filing import set_digest
from accord.model import Format
from accord_server.kit import outbox
from registry.errors import TooMuchContention
from registry.models import Module, ModuleVersion
from registry.module_errors import (
    InvalidModule,
    ModuleChanged,
    ModuleVersionDisabled,
)
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
from registry.services.module_judging import SetNodes, linted
from registry.services.module_verdicts import Candidate, judge_set, kept_findings, refuse, usable_of
from registry.services.situation import require_writable
from tenants.access import require
from tenants.details import checked_properties
from tenants.records import AuditEntry
from tenants.services import record_audit
from tenants.services.quotas import require_room, require_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from accord.formats.protobuf.filing import FiledFile
    from accord_server.kit.scope import Scope
    from registry.module_records import UploadSet

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
ATTEMPTS: Final = 8
CHECK: Final = "compat.check"
DELETE: Final = "subject.purge"
# Ready descriptors are read and compared in a small part of the time that texts take.
BYTES_PER_CHARACTER: Final = 4
SHOWN: Final = 20


class Offer(NamedTuple):
    """What is to be the next version; its files depend on the versions that are there, oldest first.

    ``properties`` are what is said of it, None for what the latest version says. ``expected`` is as in
    `UploadSet`, ``weight`` about as many characters as its texts have.
    """

    module: str
    weight: int
    files: Callable[[Sequence[ModuleVersionRow]], tuple[FiledFile, ...]]
    properties: Mapping[str, str] | None = None
    expected: int | None = None


def upload_set(scope: Scope, command: UploadSet) -> UploadedVersion:
    """Store a set as the next version of a module, or return the latest version if that is the same set.

    Raises:
        InvalidModule, InvalidUpload, InvalidDetail, FilesMissing: The request is wrong.
        InvalidSchema, SchemaTooLarge: What is uploaded is.
        RightMissing: ``desc.write`` is missing.
        ModuleNotFound, ModuleVersionNotFound: It depends on a module that may not be read.
        ReadOnly: The mode only reads.
        ModuleChanged: Another version is the latest than the command expects.
        ModuleVersionDisabled: It is a disabled version of the module, or needs one of another.
        ContentRefused, IncompatibleModule, ModuleLintRefused: The policy in force does not let it in.
        QuotaReached, SchemaAboveQuota: The tenant would have more than it may.
        TooBusy, TooMuchContention, CompilerUnavailable: It may work later.
    """
    return store_offer(scope, _offer(scope, command))


def store_offer(scope: Scope, offer: Offer) -> UploadedVersion:
    """Store what is offered, or return the latest version if that is the same; raises as `upload_set`."""
    subject = module_name(_checked_name(offer.module))
    require(scope, WRITE, subject)
    require_writable(subject, mode_in_force(scope, subject).name)
    for _ in range(ATTEMPTS):
        with turn_for(offer.weight):
            rows = module_versions(scope, offer.module)
            usable = usable_of(rows)
            files = offer.files(usable)
            if _says_nothing_new(usable, offer) and _is_latest(scope, usable, files):
                return UploadedVersion(usable[-1], is_new=False)
            _refuse_disabled(rows, files)
            _expect(offer, usable)
            require_size(scope, max(len(one.data) for one in files))
            candidate = judge_set(scope, offer.module, files, rows, offer.properties)
        refuse(offer.module, candidate)
        with transaction.atomic():
            stored = _store(scope, offer.module, candidate)
        if stored is not None:
            return UploadedVersion(stored, is_new=True, judgement=candidate.judgement)
    raise TooMuchContention(offer.module)


def check_set(scope: Scope, command: UploadSet) -> ModuleJudgement:
    """Return what an upload would be told, and store nothing.

    Raises:
        ModuleNotFound, RightMissing: ``compat.check`` is missing on the module, or it may not be seen.
        InvalidModule, InvalidUpload and what else `upload_set` raises of the files.
    """
    admit_to_module(scope, _checked_name(command.module), CHECK)
    offer = _offer(scope, command)
    with turn_for(offer.weight):
        rows = module_versions(scope, command.module)
        return judge_set(
            scope, command.module, offer.files(usable_of(rows)), rows, offer.properties
        ).judgement


def lint_set(scope: Scope, command: UploadSet) -> LintedSet:
    """Lint a set by the policy in force; where none asks for lint, by hints that refuse nothing.

    Raises:
        ModuleNotFound, RightMissing: ``compat.check`` is missing on the module, or it may not be seen.
        InvalidModule, InvalidUpload and what else `upload_set` raises of the files.
    """
    subject = module_name(_checked_name(command.module))
    admit_to_module(scope, command.module, CHECK)
    offer = _offer(scope, command)
    with turn_for(offer.weight):
        files = offer.files(usable_of(module_versions(scope, command.module)))
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


def _offer(scope: Scope, command: UploadSet) -> Offer:
    properties = None if command.properties is None else checked_properties(command.properties)

    def files(usable: Sequence[ModuleVersionRow]) -> tuple[FiledFile, ...]:
        return gathered(scope, command, _latest(scope, usable, noted=_is_by_digest(command)))

    return Offer(command.module, _weight(command), files, properties, command.expected)


def _says_nothing_new(usable: Sequence[ModuleVersionRow], offer: Offer) -> bool:
    return bool(usable) and (offer.properties is None or offer.properties == usable[-1].properties)


def _refuse_disabled(rows: Sequence[ModuleVersionRow], files: Sequence[FiledFile]) -> None:
    digest = set_digest(files)
    for row in rows:
        if row.is_disabled and row.digest == digest:
            raise ModuleVersionDisabled(row.module, row.number)


def _expect(offer: Offer, usable: Sequence[ModuleVersionRow]) -> None:
    latest = usable[-1].number if usable else 0
    if offer.expected not in {None, latest}:
        raise ModuleChanged(offer.module, latest, offer.expected or 0)


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise InvalidModule(name[:SHOWN])
    return name


def _weight(command: UploadSet) -> int:
    return len(command.data) // BYTES_PER_CHARACTER + sum(map(len, command.texts.values()))


def weight_of_files(files: Iterable[FiledFile]) -> int:
    """Return what the weight of files is that are compiled already."""
    return sum(len(one.data) for one in files) // BYTES_PER_CHARACTER


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


def _store(scope: Scope, module: str, candidate: Candidate) -> ModuleVersionRow | None:
    """Store a candidate; None where what it was held against is not what is there any more."""
    key, newest = lock_or_add_module(scope, module)
    now = settings_of(scope, module_name(module))
    if tuple(module_versions(scope, module)) != candidate.rows or now != candidate.settings:
        return None
    number, judgement = newest + 1, candidate.judgement
    set_key = store_set(scope, candidate.files)
    Module.objects.scoped(scope).filter(pk=key).update(newest=number)
    row = ModuleVersion.objects.insert(
        scope,
        module_id=key,
        number=number,
        set_id=set_key,
        properties=candidate.properties,
        level=judgement.level,
        findings=kept_findings(judgement.verdict),
        created_by=scope.principal.key,
    )
    named = {"module": module, "version": number}
    outbox.emit(scope, MODULE_UPLOADED, named)
    record_audit(scope, entry=AuditEntry(MODULE_UPLOADED, "module", f"{module}/{number}", after=named))
    require_room(scope)
    digest = set_digest(candidate.files)
    return ModuleVersionRow(
        module, number, digest, set_key, row.level, row.created_at, row.created_by, row.properties
    )
