"""Deleting versions softly as an import asks for it: each after what refers to it, all in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.errors import ReferenceExists, VersionNotFound
from registry.import_records import BatchOutcome, Refusal
from registry.life_records import Deletion
from registry.queries.deletion_rules import require_deletable
from registry.queries.imports import users_among, users_outside
from registry.queries.locks import lock_versions_at
from registry.queries.standing import settings_of_many
from registry.services.deletion import hide, note_all
from registry.services.events import VERSION_DELETED
from registry.services.import_candidates import REFUSALS
from registry.services.situation import require_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope
    from registry.import_records import VersionKey
    from registry.models import Version


def delete_batch(scope: Scope, keys: Sequence[VersionKey]) -> BatchOutcome:
    """Hide versions in this order, in the caller's transaction; what is hidden already stays as it is.

    Raises:
        DeletionForbidden: Nothing may be deleted here.
    """
    require_deletable(scope, Deletion.SOFT)
    deleting = _Deleting(scope, keys)
    present = 0
    refused = []
    for key in keys:
        try:
            present += not deleting.delete(key)
        except REFUSALS as error:
            refused.append(Refusal.of(key, error))
    if deleting.gone:
        hide(scope, [row.pk for row in deleting.gone.values()])
        note_all(scope, VERSION_DELETED, [(key.subject, [key.number]) for key in deleting.gone])
    return BatchOutcome(deleted=len(deleting.gone), present=present, refused=tuple(refused))


class _Deleting:
    """What is locked, and what of it is deleted so far."""

    def __init__(self, scope: Scope, keys: Sequence[VersionKey]) -> None:
        self.gone: dict[VersionKey, Version] = {}
        self._rows = lock_versions_at(scope, keys)
        settings = settings_of_many(scope, {key.subject for key in keys})
        self._modes = {subject: mode.name for subject, (_, mode) in settings.items()}
        live = [row.pk for row in self._rows.values() if row.deleted_at is None]
        self._used_outside = users_outside(live, live)
        self._users: dict[int, set[int]] = {}
        for user, target in users_among(live):
            self._users.setdefault(target, set()).add(user)

    def delete(self, key: VersionKey) -> bool:
        """Delete one; return False for what is deleted already.

        Raises:
            VersionNotFound, ReadOnly, ReferenceExists: The first that holds.
        """
        row = self._rows.get(key)
        if row is None:
            raise VersionNotFound(key.number)
        if key in self.gone or row.deleted_at is not None:
            return False
        require_writable(key.subject, self._modes[key.subject])
        users = self._users.get(row.pk, set()) - {one.pk for one in self.gone.values()}
        if row.pk in self._used_outside or users:
            raise ReferenceExists(key.subject.qualified, key.number)
        self.gone[key] = row
        return True
