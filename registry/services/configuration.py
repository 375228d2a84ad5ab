"""Changing config records: whole records, member by member, at a subject, a context or above all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from accord.contracts.reading import read_metadata, read_rule_set
from accord.contracts.writing import metadata_data, rule_set_data
from accord.errors import InvalidSubject
from accord.naming import MAX_SUBJECT_BYTES, may_hold_subjects, validate_new_subject, validate_subject
from accord.policy.level_names import level_after, parse_level
from accord.policy.origins import OriginKind
from accord_server.kit import outbox
from accord_server.kit.marks import mark_of, require_mark
from registry.errors import SubjectNotFound
from registry.models import Config
from registry.policy_errors import LevelLocked
from registry.queries.bound_policies import effective_policy
from registry.queries.levels_in_force import format_of
from registry.queries.locks import lock_or_add_settings, lock_settings
from registry.queries.places import ABOVE_ALL, TOP_LEVEL, namespace_of
from registry.queries.settings import SERVER_CONFIG, config_of, mode_in_force
from registry.queries.standing import settings_of
from registry.queries.visibility import admit_settings, may_read_settings
from registry.records import LEVEL_KEPT, METADATA_MEMBERS
from registry.sealing import sealed_members, unsealed_members, without_sealed
from registry.services.events import SETTINGS_CHANGED
from registry.services.situation import require_writable
from tenants.announcements import announce_namespace
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

LEVEL: Final = "compatibilityLevel"
POLICY: Final = "compatibilityPolicy"
POLICIES: Final = frozenset({"STRICT", "LENIENT"})
# In the order in which records are shown.
MEMBERS: Final = (
    "alias",
    "aliasForDeks",
    "normalize",
    "validateFields",
    "validateNewSchemas",
    "validateRules",
    LEVEL,
    POLICY,
    "compatibilityGroup",
    "defaultMetadata",
    "overrideMetadata",
    "defaultRuleSet",
    "overrideRuleSet",
)
RULE_SET_MEMBERS: Final = frozenset({"defaultRuleSet", "overrideRuleSet"})


def change_config(
    scope: Scope, subject: SubjectName, changes: Mapping[str, Any], *, expected_level: int | None = None
) -> Mapping[str, Any]:
    """Set members of a record, clear those given as None, keep the others; return the stored record.

    Who may not read the record is told what was sent, and nothing that was there. ``expected_level`` is the
    `level_mark` of the record that the change is made for, None for whatever there is.

    Raises:
        InvalidSubject, UnknownLevel: The place or the level cannot exist.
        InvalidContract, ContractTooLarge, InvalidRuleSet: Metadata or rules are not what they may be.
        SensitiveUnavailable: There is no key for what the metadata call sensitive.
        RightMissing: ``config.write`` is missing there.
        ReadOnly: The mode in force there only reads.
        LevelLocked: A policy decides the level there, and says that nothing else may.
        Changed: The record names another level than was expected.
    """
    wanted = _checked(changes)
    validate_place(subject)
    admit_settings(scope, subject, "config.write")
    if expected_level is not None:
        # Whoever may try levels out until one fits has read it.
        admit_settings(scope, subject, "config.read")
    with transaction.atomic():
        if not wanted:
            _require_writable(scope, subject)
            return _told(scope, subject, config_of(scope, subject) or {}, sent={})
        row = lock_or_add_settings(scope, Config, subject)
        _require_writable(scope, subject)
        before = row.record
        require_mark("The level", level_mark(before), expected_level)
        stored = sealed_members(wanted, METADATA_MEMBERS)
        row.record = _kept({**before, **stored, **_level_kept(scope, subject, wanted)})
        row.save(update_fields=["record", "updated_at"])
        note_settings(scope, subject, "config.write", before=_noted(before), after=_noted(row.record))
    return _told(scope, subject, row.record, sent=wanted)


def delete_config(scope: Scope, subject: SubjectName) -> Mapping[str, Any]:
    """Remove a record; return what it was, to who may read it. The top level falls back to the default.

    Raises:
        RightMissing: ``config.write`` is missing there.
        ReadOnly: The mode in force there only reads.
        SubjectNotFound: There is no record.
    """
    admit_settings(scope, subject, "config.write")
    with transaction.atomic():
        row = lock_settings(scope, Config, subject)
        _require_writable(scope, subject)
        if row is None:
            if subject in {TOP_LEVEL, ABOVE_ALL}:
                return _told(scope, subject, SERVER_CONFIG, sent={})
            raise SubjectNotFound(subject.qualified)
        row.delete()
        note_settings(scope, subject, "config.write", before=_noted(row.record), after=None)
    return _told(scope, subject, row.record, sent={})


def level_named(scope: Scope, subject: SubjectName) -> str | None:
    """Return the level that the record of a place names, None where it names none.

    Raises:
        InvalidSubject: The place cannot exist.
        RightMissing: ``config.read`` is missing there.
    """
    validate_place(subject)
    admit_settings(scope, subject, "config.read")
    return (config_of(scope, subject) or {}).get(LEVEL)


def level_mark(record: Mapping[str, Any]) -> int:
    """Return the number that a change of the level names."""
    return mark_of({LEVEL: record.get(LEVEL)})


def validate_place(subject: SubjectName) -> None:
    """Refuse places that cannot hold settings.

    Raises:
        InvalidSubject: The name can never be registered, or the context cannot exist.
    """
    if subject == ABOVE_ALL:
        return
    if subject.name:
        validate_new_subject(subject)
    validate_subject(subject)
    if not may_hold_subjects(subject.context) or len(subject.qualified.encode()) > MAX_SUBJECT_BYTES:
        raise InvalidSubject(subject.qualified)


def note_settings(scope: Scope, subject: SubjectName, action: str, *, before: object, after: object) -> None:
    """Leave the traces of a change of settings, in its transaction."""
    announce_namespace(namespace_of(scope))
    outbox.emit(scope, SETTINGS_CHANGED, {"subject": subject.qualified, "action": action})
    entry = AuditEntry(
        action, "settings", subject.qualified, before={"value": before}, after={"value": after}
    )
    record_audit(scope, entry=entry)


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: value for name, value in changes.items() if name in MEMBERS}
    if isinstance(wanted.get(LEVEL), str):
        parse_level(wanted[LEVEL])
        wanted[LEVEL] = wanted[LEVEL].upper()
    if isinstance(wanted.get(POLICY), str):
        policy = wanted[POLICY].upper()
        wanted[POLICY] = policy if policy in POLICIES else None
    return {name: _contract_member(name, value) for name, value in wanted.items()}


def _contract_member(name: str, value: object) -> object:
    """Return metadata or a rule set as they are written by us, None where they say nothing.

    Empty ones would make another schema of each that is registered.
    """
    if name in METADATA_MEMBERS:
        metadata = read_metadata(value, name)
        return None if metadata is None else metadata_data(metadata) or None
    if name in RULE_SET_MEMBERS:
        rule_set = read_rule_set(value, name)
        return None if rule_set is None else rule_set_data(rule_set) or None
    return value


def _level_kept(scope: Scope, place: SubjectName, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether the level that is sent leaves that of the policies as it is, where one is sent.

    Raises:
        LevelLocked: None may be sent.
    """
    if LEVEL not in wanted:
        return {}
    sent = wanted[LEVEL]
    settings = settings_of(scope, place)
    if sent is None or not settings.bound:
        return {LEVEL_KEPT: None}
    found = effective_policy(scope, place, format_of(scope, place), settings)
    if found.locked.value:
        origin = found.locked.origin
        raise LevelLocked(origin.policy, origin.version or 0, str(origin.place))
    level = found.level
    is_kept = level.origin.kind is OriginKind.POLICY and level_after(level.value, sent) == level.value
    return {LEVEL_KEPT: (is_kept and level.value != parse_level(sent)) or None}


def _told(
    scope: Scope, subject: SubjectName, record: Mapping[str, Any], *, sent: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the record to who may read it, to others what they sent themselves."""
    seen = record if may_read_settings(scope, subject, "config.read") else sent
    return _shown(unsealed_members(seen, METADATA_MEMBERS))


def _require_writable(scope: Scope, subject: SubjectName) -> None:
    """Refuse in a mode that only reads; it is asked for under the lock that the change holds."""
    require_writable(subject, mode_in_force(scope, subject).name)


def _shown(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without cleared members and what is our own, in the order of the dialect."""
    return {name: record[name] for name in MEMBERS if record.get(name) is not None}


def _noted(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored record as the audit log keeps it: for good, so without what a key of today opens."""
    return without_sealed(_shown(record), METADATA_MEMBERS)


def _kept(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as it is stored."""
    return {name: record[name] for name in (*MEMBERS, LEVEL_KEPT) if record.get(name) is not None}
