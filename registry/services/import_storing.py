"""Writing a batch in one transaction, in as many statements whatever its length, or not at all.

Rows are locked in the one order everybody keeps (`registry.queries.locks`); what stands in the way of one
version is found under the locks, and lets the batch be tried again without it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from accord.errors import ReferenceNotFound
from accord.model import Verdict
from registry.errors import SchemaIdTaken, VersionTaken
from registry.import_records import VersionKey
from registry.models import Schema, SchemaReference, Version
from registry.queries.contracts import contracts_of
from registry.queries.imports import schemas_by_id
from registry.queries.locks import (
    contents_for,
    contracts_for,
    lock_counters,
    lock_live_versions,
    lock_or_add_subjects,
    raise_counters,
)
from registry.queries.places import namespace_of
from registry.queries.standing import NO_HISTORY, settings_of_many, versions_among
from registry.services.filing import set_of, store_sets
from registry.services.import_candidates import REFUSALS
from registry.services.removal import remove_version_rows
from registry.services.situation import Situation, SituationMoved, require_registrable, standing_among
from registry.services.storing import (
    Place,
    Stored,
    content_row,
    contract_row,
    edge_rows,
    leave_traces,
    schema_row,
    version_row,
)
from registry.services.waiving import Ruling
from tenants.announcements import announce_namespace
from tenants.services.quotas import require_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.errors import AccordError
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.queries.imports import SchemaKey
    from registry.records import HistoryRow
    from registry.services.import_candidates import Prepared, Settings

IMPORTED = Ruling(Verdict())


class Clashed(Exception):
    """Some of the batch cannot be stored, which has changed nothing: the rest may be tried without it."""

    def __init__(self, refused: Sequence[tuple[Prepared, AccordError]]) -> None:
        super().__init__(f"{len(refused)} refused")
        self.refused = [(one.given, error) for one, error in refused]


def store_batch(scope: Scope, batch: Sequence[Prepared], settings: Settings) -> int:
    """Store what is not there yet, in the caller's transaction; return how many that was.

    Raises:
        Clashed: Something is in the way of some.
        SituationMoved: The settings are not those that the candidates were made under.
        RightMissing: ``reference.use`` is missing on something that is referred to.
        QuotaReached: The tenant would have more than it may.
    """
    keys = lock_or_add_subjects(scope, {one.given.key.subject for one in batch})
    if any(now != settings[subject] for subject, now in settings_of_many(scope, keys).items()):
        raise SituationMoved
    sorting = _Sorting(scope, settings, versions_among(keys, map(_wanted, batch)))
    sorting.sort(batch)
    _keep_targets(sorting.new)
    _make_room(scope, sorting)
    rows = _Rows(scope, sorting.new, keys, settings)
    rows.store()
    _drop_outdated(scope, sorting, rows)
    if sorting.new:
        leave_traces(scope, [one.given.key for one in sorting.new])
        announce_namespace(namespace_of(scope))
        require_room(scope)
    return len(sorting.new)


class _Sorting:
    """What of a batch is there already, and what is new; ``replaced`` are deleted versions in its place."""

    def __init__(
        self, scope: Scope, settings: Settings, standing: dict[SubjectName, dict[int, HistoryRow]]
    ) -> None:
        self._scope = scope
        self._settings = settings
        self.standing = standing
        rows = [row for versions in standing.values() for row in versions.values()]
        self._contracts = contracts_of(scope, rows)
        self._taken: dict[VersionKey, Prepared] = {}
        self.replaced: dict[int, Prepared] = {}

    @property
    def new(self) -> list[Prepared]:
        """What is to be stored, in order."""
        return list(self._taken.values())

    def sort(self, batch: Sequence[Prepared]) -> None:
        """Look at each in turn.

        Raises:
            Clashed: Some cannot be stored.
        """
        refused: list[tuple[Prepared, AccordError]] = []
        for one in batch:
            try:
                self._take(one)
            except REFUSALS as error:
                refused.append((one, error))
        if refused:
            raise Clashed(refused)

    def row_at(self, key: VersionKey) -> HistoryRow | None:
        """Return the version that is stored in a place."""
        return self.standing.get(key.subject, {}).get(key.number)

    def _take(self, one: Prepared) -> None:
        key, row = one.given.key, self.row_at(one.given.key)
        if self._is_there(one, row):
            return
        subject, number = key
        _, mode = self._settings[subject]
        require_registrable(subject, mode.name, has_id=True)
        one.candidate.require_live_targets()
        one.candidate.require_usable_targets(self._scope)
        self._require_taken_targets(one)
        if key in self._taken or (row is not None and not row.is_deleted):
            raise VersionTaken(subject.qualified, number)
        if row is not None:
            self.replaced[row.version_key] = one
        self._taken[key] = one

    def _require_taken_targets(self, one: Prepared) -> None:
        """Hold a version to what it refers to in the same batch.

        Raises:
            ReferenceNotFound: That is not stored.
            SituationMoved: Somebody else has stored it since the batch was read.
        """
        for target in one.candidate.targets:
            place = VersionKey(target.subject, target.number)
            if target.version_key > 0 or place in self._taken:
                continue
            row = self.row_at(place)
            if row is not None and not row.is_deleted:
                raise SituationMoved
            raise ReferenceNotFound(target.subject.qualified, target.number)

    def _is_there(self, one: Prepared, row: HistoryRow | None) -> bool:
        earlier = self._taken.get(one.given.key)
        if earlier is not None:
            same_id = earlier.given.schema_id == one.given.schema_id
            return same_id and earlier.candidate.identity == one.candidate.identity
        if row is None or row.schema_id != one.given.schema_id:
            return False
        if row.is_deleted and not one.given.is_deleted:
            return False
        return standing_among(one.candidate, (row,), lambda _: self._contracts) is not None


class _Rows:
    """The rows of what is new, table after table, each in one statement."""

    def __init__(
        self, scope: Scope, new: Sequence[Prepared], keys: dict[SubjectName, int], settings: Settings
    ) -> None:
        self._scope = scope
        self._new = new
        self._keys = keys
        self._settings = settings
        # The keys of the schemas by context and id.
        self.schemas: dict[SchemaKey, int] = {}

    def store(self) -> None:
        """Store all of them; the counters are locked last.

        Raises:
            Clashed: Ids stand for other schemas.
        """
        stored = self._contents()
        contexts = {one.given.key.subject.context for one in self._new}
        added = self._added(lock_counters(self._scope, contexts))
        rows = Schema.objects.scoped(self._scope).bulk_create(
            schema_row(self._scope, made, stored[made.identity], context=context, number=number)
            for (context, number), made in ((place, one.candidate) for place, one in added.items())
        )
        self.schemas |= {(row.context, row.number): row.pk for row in rows}
        versions = Version.objects.scoped(self._scope).bulk_create(map(self._version, self._new))
        at = {one.given.key: row.pk for one, row in zip(self._new, versions, strict=True)}
        edges = [
            edge
            for place, one in added.items()
            for edge in edge_rows(self._scope, self.schemas[place], _target_keys(one, at))
        ]
        SchemaReference.objects.scoped(self._scope).bulk_create(edges)

    def _contents(self) -> dict[bytes, Stored]:
        texts = contents_for(self._scope, [content_row(one.candidate) for one in self._new])
        carried = {one.candidate.identity: contract_row(one.candidate) for one in self._new}
        contracts = contracts_for(self._scope, [row for row in carried.values() if row is not None])
        compiled = {one.candidate.identity: set_of(one.candidate.parsed) for one in self._new}
        sets = {identity: one for identity, one in compiled.items() if one is not None}
        set_keys = dict(zip(sets, store_sets(self._scope, list(sets.values())), strict=True))
        stored = {}
        for one in self._new:
            text, contract = content_row(one.candidate), carried[one.candidate.identity]
            key = None if contract is None else contracts[contract.digest]
            set_key = set_keys.get(one.candidate.identity)
            stored[one.candidate.identity] = Stored(texts[text.format, text.digest], key, set_key)
        return stored

    def _added(self, counters: dict[str, tuple[int, int]]) -> dict[SchemaKey, Prepared]:
        """Return by context and id the candidates whose schemas are not there yet, and raise the counters."""
        known = schemas_by_id(self._scope, [_schema_key(one) for one in self._new])
        added: dict[SchemaKey, Prepared] = {}
        refused: list[tuple[Prepared, AccordError]] = []
        for one in self._new:
            place = _schema_key(one)
            held = known.get(place) or added.setdefault(place, one).candidate
            if held.identity != one.candidate.identity:
                refused.append((one, SchemaIdTaken(one.given.schema_id, place[0])))
        if refused:
            raise Clashed(refused)
        self.schemas = {place: found.key for place, found in known.items()}
        highest: defaultdict[str, int] = defaultdict(int)
        for context, number in added:
            highest[context] = max(highest[context], number)
        raise_counters({counters[context][0]: number for context, number in highest.items()})
        return added

    def _version(self, one: Prepared) -> Version:
        subject, number = one.given.key
        in_force, mode = self._settings[subject]
        place = Place(self._keys[subject], subject, Situation(subject, in_force, mode.name, NO_HISTORY))
        return version_row(
            self._scope,
            one.candidate,
            place=place,
            number=number,
            schema_key=self.schemas[_schema_key(one)],
            ruling=IMPORTED,
        )


def _keep_targets(new: Sequence[Prepared]) -> None:
    """Lock what is referred to, so that nobody deletes it before the references are stored.

    Raises:
        Clashed: Some of it is gone.
    """
    wanted = {target.version_key for one in new for target in one.candidate.targets if target.version_key > 0}
    live = lock_live_versions(wanted) if wanted else set()
    refused: list[tuple[Prepared, AccordError]] = [
        (one, ReferenceNotFound(target.subject.qualified, target.number))
        for one in new
        for target in one.candidate.targets
        if target.version_key > 0 and target.version_key not in live
    ]
    if refused:
        raise Clashed(refused)


def _make_room(scope: Scope, sorting: _Sorting) -> None:
    """Remove the deleted versions that new ones stand in for.

    Raises:
        Clashed: Something refers to one.
    """
    if not sorting.replaced:
        return
    removed = remove_version_rows(scope, list(sorting.replaced))
    refused: list[tuple[Prepared, AccordError]] = [
        (one, VersionTaken(one.given.key.subject.qualified, one.given.key.number))
        for row, one in sorting.replaced.items()
        if row not in removed
    ]
    if refused:
        raise Clashed(refused)


def _drop_outdated(scope: Scope, sorting: _Sorting, rows: _Rows) -> None:
    """Remove soft-deleted versions of the same schema that new ones stand in for."""
    outdated = [
        row.version_key
        for one in sorting.new
        for row in sorting.standing.get(one.given.key.subject, {}).values()
        if row.is_deleted
        and row.schema_key == rows.schemas[_schema_key(one)]
        and row.number < one.given.key.number
    ]
    if outdated:
        remove_version_rows(scope, outdated)


def _wanted(one: Prepared) -> tuple[SubjectName, int, int]:
    return (*one.given.key, one.given.schema_id)


def _schema_key(one: Prepared) -> SchemaKey:
    return one.given.key.subject.context, one.given.schema_id


def _target_keys(one: Prepared, at: dict[VersionKey, int]) -> list[int]:
    """Return the row keys of what a version refers to, other versions of the batch among it."""
    return [
        target.version_key if target.version_key > 0 else at[VersionKey(target.subject, target.number)]
        for target in one.candidate.targets
    ]
