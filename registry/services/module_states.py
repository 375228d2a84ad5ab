"""Changing the state of a version of a module, and going back to an older one.

It goes as with versions of subjects: one that was disabled comes back if it goes with those around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from accord.model import Format
from accord.policy import Budget
from accord_server.kit import outbox
from accord_server.kit.edit_errors import Changed
from registry.errors import TooMuchContention
from registry.life_errors import ReasonMissing
from registry.models import LONGEST_REASON, ModuleStateChange, ModuleVersion
from registry.module_errors import ModuleStateRefused
from registry.queries.bound_policies import effective_policy
from registry.queries.module_lives import module_life
from registry.queries.modules import (
    READ,
    WRITE,
    admit_to_module,
    get_module_version,
    lock_module,
    module_name,
    module_versions,
    served,
    version_among,
)
from registry.queries.proto_files import stored_sets
from registry.queries.settings import mode_in_force
from registry.queries.standing import settings_of
from registry.services.events import MODULE_STATE_CHANGED
from registry.services.heavy import heavy_turn
from registry.services.judging import sides_at
from registry.services.module_judging import judged
from registry.services.module_verdicts import nodes_of, verdict_in_words
from registry.services.situation import IMPORT_MODES, require_writable
from registry.services.uploading import Offer, store_offer, weight_of_files
from registry.version_states import VersionState
from tenants.access import require
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.life_records import ChangeState
    from registry.module_records import ModuleLife, ModuleVersionRow, UploadedVersion
    from registry.records import SettingsInForce
    from registry.services.module_judging import SetNodes

ATTEMPTS: Final = 8
RIGHT: Final = "version.promote"


class _Seen(NamedTuple):
    """What decides about a change: the settings and the mode in force, and the versions, oldest first."""

    settings: SettingsInForce
    mode: str
    rows: list[ModuleVersionRow]


def change_module_state(scope: Scope, name: str, command: ChangeState) -> ModuleLife:
    """Change the state of a version of a module; one that is in it already stays as it is.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: It is missing, or may not be seen.
        RightMissing: ``version.promote`` is missing, or ``desc.read``, since the answer tells of it.
        ReasonMissing: No reason is given.
        ReadOnly: The mode takes no writes.
        Changed: Its state is at another revision than the command expects.
        ModuleStateRefused: It was disabled, and does not go with the versions around it.
        TooMuchContention: The module changed faster than the version was judged.
        TooBusy: The versions are large, and so are others just now.
    """
    admit_to_module(scope, name, RIGHT)
    subject = module_name(name)
    require(scope, READ, subject)
    if not 0 < len(command.reason.strip()) <= LONGEST_REASON:
        raise ReasonMissing(LONGEST_REASON)
    for _ in range(ATTEMPTS):
        seen = _seen(scope, name)
        row = version_among(seen.rows, name, command.number)
        require_writable(subject, seen.mode)
        if row.is_disabled and command.state is not VersionState.DISABLED and seen.mode not in IMPORT_MODES:
            _require_fitting(scope, seen, row)
        found = _changed(scope, seen, row, command)
        if found is not None:
            return found
    raise TooMuchContention(name)


def roll_back_module(scope: Scope, name: str, number: int) -> UploadedVersion:
    """Store the set of an older version as the next one; where it is the latest, return that.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: It is missing, or may not be read.
        ModuleVersionDisabled: It is disabled.
        RightMissing and what else `upload_set` raises: As for any upload.
    """
    admit_to_module(scope, name, WRITE)
    row = served(get_module_version(scope, name, number))
    files = stored_sets(scope, {row.set_key}, notes=True, texts=True)[row.set_key]
    return store_offer(scope, Offer(name, weight_of_files(files), lambda _: files, row.properties))


def _seen(scope: Scope, name: str) -> _Seen:
    subject = module_name(name)
    return _Seen(
        settings_of(scope, subject), mode_in_force(scope, subject).name, module_versions(scope, name)
    )


def _require_fitting(scope: Scope, seen: _Seen, row: ModuleVersionRow) -> None:
    """Judge the pairs that a version that comes back makes with those around it, in one check's steps."""
    policy = effective_policy(scope, module_name(row.module), Format.PROTOBUF, seen.settings).policy
    line = [one for one in seen.rows if one is row or not one.is_disabled]
    place, budget = line.index(row), Budget()
    back = nodes_of(scope, row)

    def read(one: ModuleVersionRow) -> SetNodes:
        return back if one is row else nodes_of(scope, one)

    for at in range(place, len(line)):
        about = row.number if at > place else None
        if about and not sides_at(policy.level, about, age=at - place - 1):
            continue
        # Turn by turn, so that others come in between.
        with heavy_turn():
            verdict = judged(read(line[at]), line[:at], policy, read, about=about, budget=budget)
        if not verdict.is_allowed:
            older = next(one.version for one in verdict.comparisons if one.is_blocked)
            words = verdict_in_words(verdict)
            raise ModuleStateRefused(row.module, row.number, older or 0, line[at].number, words, verdict)


def _changed(scope: Scope, seen: _Seen, row: ModuleVersionRow, command: ChangeState) -> ModuleLife | None:
    """Store the change, unless the module is not any more what was judged."""
    with transaction.atomic():
        # Whoever uploads or deletes here takes this lock first.
        (key,) = lock_module(scope, row.module, row.number)
        if _seen(scope, row.module) != seen:
            return None
        life = module_life(scope, row.module, row.number)
        if command.expected not in {None, life.revision}:
            raise Changed(f"The state of version {row.number}", life.revision)
        if row.life.state is command.state:
            return life
        _store(scope, key, row, command)
        return module_life(scope, row.module, row.number)


def _store(scope: Scope, key: int, row: ModuleVersionRow, command: ChangeState) -> None:
    when, reason = timezone.now(), command.reason.strip()
    before, after = row.life.state.value, command.state.value
    ModuleVersion.objects.scoped(scope).filter(pk=key).update(state=after, state_changed_at=when)
    ModuleStateChange.objects.insert(
        scope,
        version_id=key,
        before=before,
        after=after,
        reason=reason,
        changed_at=when,
        changed_by=scope.principal.key,
    )
    named = {"module": row.module, "version": row.number}
    outbox.emit(scope, MODULE_STATE_CHANGED, {**named, "before": before, "after": after, "reason": reason})
    entry = AuditEntry(
        MODULE_STATE_CHANGED,
        "module",
        f"{row.module}/{row.number}",
        before={"state": before},
        after={"state": after, "reason": reason},
    )
    record_audit(scope, entry=entry)
