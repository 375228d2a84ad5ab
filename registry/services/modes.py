"""Changing modes: what a subject, a context or everything takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from accord.model import SubjectName
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import MODE_CHANGES
from registry.errors import ForwardModeNotGlobal, InvalidMode, ModesFixed, SubjectNotFound, SubjectsExist
from registry.models import Mode, Subject
from registry.queries.locks import lock_or_add_settings, lock_settings
from registry.queries.places import ABOVE_ALL, TOP_LEVEL, namespace_of
from registry.queries.subjects import has_live_subjects
from registry.queries.visibility import admit_settings, may_read_settings
from registry.records import DEFAULT_MODE
from registry.services.configuration import note_settings, validate_place
from registry.services.deletion import purge_leftovers

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

IMPORT: Final = "IMPORT"
FORWARD: Final = "FORWARD"
MODES: Final = frozenset({"READWRITE", "READONLY", "READONLY_OVERRIDE", IMPORT, FORWARD})


def change_mode(scope: Scope, subject: SubjectName, mode: str | None, *, force: bool = False) -> None:
    """Set the mode of a place, or clear it with None.

    Entering IMPORT without ``force`` needs a place without live subjects, and purges what was deleted
    softly in it.

    Raises:
        InvalidSubject, InvalidMode, ForwardModeNotGlobal: The request is wrong.
        ModesFixed: The operator lets nobody change modes.
        RightMissing: ``mode.write`` is missing there, or ``subject.purge`` on what was deleted.
        SubjectsExist, ReferenceExists: IMPORT cannot begin here.
    """
    validate_place(subject)
    _admit(scope, subject)
    wanted = None if mode is None else _checked(subject, mode)
    with transaction.atomic():
        if wanted == IMPORT and not force:
            _clear_the_way(scope, subject)
        before = _take(scope, subject) if wanted is None else _replace(scope, subject, wanted)
        note_settings(scope, subject, "mode.write", before=before, after=wanted)


def delete_mode(scope: Scope, subject: SubjectName, *, recursive: bool = False) -> str | None:
    """Clear the mode of a place; return what it was.

    None where only those inside had one, and to who may not read it.

    Raises:
        ModesFixed: The operator lets nobody change modes.
        RightMissing: ``mode.write`` is missing there.
        SubjectNotFound: Nothing was set, and ``recursive`` was not asked for.
    """
    _admit(scope, subject)
    with transaction.atomic():
        before = _take(scope, subject)
        if recursive and not subject.name:
            _inside(scope, subject).delete()
        elif before is None and not recursive and subject not in {TOP_LEVEL, ABOVE_ALL}:
            raise SubjectNotFound(subject.qualified)
        note_settings(scope, subject, "mode.write", before=before, after=None)
    if not may_read_settings(scope, subject, "mode.read"):
        return None
    if before is None and not recursive:
        return DEFAULT_MODE
    return before


def _admit(scope: Scope, subject: SubjectName) -> None:
    admit_settings(scope, subject, "mode.write")
    if not configured(MODE_CHANGES):
        raise ModesFixed


def _checked(subject: SubjectName, mode: str) -> str:
    wanted = mode.upper()
    if wanted not in MODES:
        raise InvalidMode
    if wanted == FORWARD and subject != ABOVE_ALL:
        raise ForwardModeNotGlobal
    return wanted


def _clear_the_way(scope: Scope, place: SubjectName) -> None:
    if place == ABOVE_ALL:
        found = Subject.objects.scoped(scope).filter(namespace=namespace_of(scope))
        contexts = [SubjectName("", one) for one in set(found.values_list("context", flat=True))]
    else:
        contexts = [place]
    if any(has_live_subjects(scope, one) for one in contexts):
        raise SubjectsExist
    purge_leftovers(scope, contexts)


def _inside(scope: Scope, place: SubjectName) -> QuerySet[Any]:
    modes = Mode.objects.scoped(scope).filter(namespace=namespace_of(scope))
    return modes if place == ABOVE_ALL else modes.filter(context=place.context)


def _take(scope: Scope, subject: SubjectName) -> str | None:
    """Remove the mode of exactly this place and return it."""
    row = lock_settings(scope, Mode, subject)
    if row is None:
        return None
    row.delete()
    return row.mode


def _replace(scope: Scope, subject: SubjectName, mode: str) -> str | None:
    """Set the mode of exactly this place and return the one before, however many do so at once."""
    row = lock_or_add_settings(scope, Mode, subject)
    before, row.mode = row.mode, mode
    row.save(update_fields=["mode", "updated_at"])
    return before or None
