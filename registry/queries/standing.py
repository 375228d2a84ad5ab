"""How a subject stands: the settings in force for it and all of its versions, in one statement.

Every producer asks for this when it starts. Services admit the caller to the subject first.

Versions are only ever added, deleted, given a state and brought back, so a process remembers those of a
subject together with a stamp of their keys, deletions and states. The statement says the stamp of the same
keys as it is now, and hands over what is newer; everything, if the stamps differ. Nothing is taken from
memory that the database has not just confirmed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.model import SubjectName
from accord.policy.origins import Reach
from accord_server.kit.cache import BoundedMemory, memory_named
from registry.queries.bound_policies import BOUND, BOUND_AT, bound_among
from registry.queries.places import TOP_LEVEL, inherited, namespace_of
from registry.queries.rows import references_of
from registry.queries.settings import SERVER_CONFIG, config_among, config_in_force, mode_among
from registry.records import ConfigInForce, HistoryRow, SettingsInForce
from registry.version_states import Life, VersionState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord_server.kit.scope import Scope
    from registry.policy_records import PolicyPlace
    from registry.records import ModeInForce

# The columns of a row of history, and where they come from.
HISTORY: Final = """version.id, version.number, version.deleted_at IS NOT NULL AS is_deleted,
        schema.id AS schema_key, schema.number AS schema_id, schema.contract_id,
        schema.identity, schema.equivalence,
        schema."references"::text AS used, schema.guid, schema.created_at AS schema_born,
        version.created_at, version.created_by, version.level, octet_length(content.text) AS text_bytes,
        content.format, content.digest, version.state, version.state_changed_at
    FROM registry_subject AS subject
    JOIN registry_version AS version ON version.subject_id = subject.id
    JOIN registry_schema AS schema ON schema.id = version.schema_id
    JOIN registry_content AS content ON content.id = schema.content_id"""
# The settings come with the first row alone; there is one row even where there is no version.
STANDING: Final = f"""
WITH place AS (
    SELECT * FROM unnest(%(contexts)s::text[], %(names)s::text[]) AS given (context, name)
), configs AS (
    SELECT jsonb_agg(jsonb_build_array(known.context, known.name, known.record))::text AS found
    FROM registry_config AS known JOIN place ON place.context = known.context AND place.name = known.name
    WHERE known.tenant_id = %(tenant)s AND known.namespace_id = %(namespace)s
), modes AS (
    SELECT jsonb_agg(jsonb_build_array(known.context, known.name, known.mode))::text AS found
    FROM registry_mode AS known JOIN place ON place.context = known.context AND place.name = known.name
    WHERE known.tenant_id = %(tenant)s AND known.namespace_id = %(namespace)s
), bound AS ({BOUND}), marked AS (
    SELECT version.id, version.id::text || CASE WHEN version.deleted_at IS NULL THEN '' ELSE 'd' END
        || CASE WHEN version.state = 'enabled' THEN ''
            ELSE version.state || extract(epoch FROM version.state_changed_at) END AS mark
    FROM registry_subject AS subject JOIN registry_version AS version ON version.subject_id = subject.id
    WHERE subject.tenant_id = %(tenant)s AND subject.namespace_id = %(namespace)s
        AND subject.context = %(context)s AND subject.name = %(name)s
), stamps AS (
    SELECT coalesce(md5(string_agg(mark, ',' ORDER BY id)), '') AS stamp,
        md5(string_agg(mark, ',' ORDER BY id) FILTER (WHERE id <= %(newest)s)) = %(stamp)s AS is_known
    FROM marked
), history AS (
    SELECT {HISTORY}
    CROSS JOIN stamps
    WHERE subject.tenant_id = %(tenant)s AND subject.namespace_id = %(namespace)s
        AND subject.context = %(context)s AND subject.name = %(name)s
        AND (stamps.is_known IS NOT TRUE OR version.id > %(newest)s)
)
SELECT CASE WHEN row_number() OVER (ORDER BY history.number) = 1 THEN configs.found END,
    CASE WHEN row_number() OVER (ORDER BY history.number) = 1 THEN bound.found END,
    CASE WHEN row_number() OVER (ORDER BY history.number) = 1 THEN modes.found END,
    CASE WHEN row_number() OVER (ORDER BY history.number) = 1 THEN stamps.stamp END,
    coalesce(stamps.is_known, false), history.*
FROM configs CROSS JOIN bound CROSS JOIN modes CROSS JOIN stamps LEFT JOIN history ON true
ORDER BY history.number
"""  # noqa: S608  # what is put in is a text of ours
# The same without mode and versions.
SETTINGS: Final = f"""
SELECT (
    SELECT jsonb_agg(jsonb_build_array(known.context, known.name, known.record))::text
    FROM registry_config AS known
    JOIN unnest(%(contexts)s::text[], %(names)s::text[]) AS given (context, name)
        ON given.context = known.context AND given.name = known.name
    WHERE known.tenant_id = %(tenant)s AND known.namespace_id = %(namespace)s
), ({BOUND})
"""  # noqa: S608  # what is put in is a text of ours
# The records and modes of many places, and what is bound around many subjects.
CONFIGS: Final = """
SELECT known.context, known.name, known.record::text FROM registry_config AS known
JOIN unnest(%s::text[], %s::text[]) AS given (context, name)
    ON given.context = known.context AND given.name = known.name
WHERE known.tenant_id = %s AND known.namespace_id = %s
"""
MODES: Final = CONFIGS.replace("known.record::text", "known.mode").replace("registry_config", "registry_mode")
BOUND_AROUND: Final = f"""
SELECT given.context, given.name, ({BOUND_AT.format(context="given.context", name="given.name")})
FROM unnest(%(contexts)s::text[], %(names)s::text[]) AS given (context, name)
"""  # noqa: S608  # as above
# Versions by the keys of their subjects and their numbers, and those deleted of the subjects that have one of
# these ids. By keys, since with names the planner goes astray in tables that it does not know yet.
AMONG: Final = f"""
SELECT subject.context, subject.name, {HISTORY}
WHERE version.subject_id = ANY(%(subjects)s) AND (version.subject_id, version.number) IN (
    SELECT * FROM unnest(%(keys)s::bigint[], %(numbers)s::bigint[])
)
UNION ALL
SELECT subject.context, subject.name, {HISTORY}
WHERE version.subject_id = ANY(%(subjects)s) AND version.deleted_at IS NOT NULL
    AND schema.number = ANY(%(ids)s)
"""  # noqa: S608  # as above
NO_REFERENCES: Final = "[]"


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a subject, soft-deleted ones included, oldest first.

    ``stamp`` names them all, which are deleted, and their states; ``newest`` is the highest row key.
    """

    rows: tuple[HistoryRow, ...]
    newest: int
    stamp: str

    @property
    def live(self) -> tuple[HistoryRow, ...]:
        """The versions that are not soft-deleted."""
        return tuple(row for row in self.rows if not row.is_deleted)

    @property
    def usable(self) -> tuple[HistoryRow, ...]:
        """The versions that new ones are held against: live, and not disabled."""
        return tuple(row for row in self.rows if row.is_usable)


NO_HISTORY: Final = History((), 0, "")
HISTORIES: Final[BoundedMemory[History]] = memory_named("histories")


@dataclass(frozen=True, slots=True)
class Standing:
    """The settings in force for a subject and its versions, soft-deleted ones included, oldest first."""

    settings: SettingsInForce
    mode: ModeInForce
    history: History


def standing_of(scope: Scope, subject: SubjectName) -> Standing:
    """Read it: one statement."""
    key = (scope.tenant.id, namespace_of(scope), subject)
    known = HISTORIES.recall(key) or NO_HISTORY
    values = {**_values(scope, subject), "newest": known.newest, "stamp": known.stamp}
    with connection.cursor() as cursor:
        cursor.execute(STANDING, values)
        found = cursor.fetchall()
    configs, bound, modes, stamp, is_known = found[0][:5]
    new = tuple(_history_row(*row) for _, _, _, _, _, *row in found if row[0] is not None)
    history = _grown(known if is_known else NO_HISTORY, new, stamp)
    if history is not known:
        HISTORIES.keep(key, history, weight=1 + len(history.rows))
    settings = _settings(scope, subject, configs, bound)
    return Standing(settings, mode_among(_by_place(modes), subject), history)


def _grown(known: History, new: tuple[HistoryRow, ...], stamp: str) -> History:
    """Return what is known with what came since; imports may number it as they like."""
    if known.rows and not new:
        return known
    rows = tuple(sorted((*known.rows, *new), key=attrgetter("number")))
    return History(rows, max((row.version_key for row in rows), default=0), stamp)


def settings_of(scope: Scope, subject: SubjectName) -> SettingsInForce:
    """Return what decides how a subject, or what else lies at this place, is judged: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(SETTINGS, _values(scope, subject))
        configs, bound = cursor.fetchone() or (None, None)
    return _settings(scope, subject, configs, bound)


def settings_of_many(
    scope: Scope, subjects: Iterable[SubjectName]
) -> dict[SubjectName, tuple[SettingsInForce, ModeInForce]]:
    """Return what decides how each subject is judged, and its mode: three statements."""
    subjects = list(subjects)
    places = list({place for subject in subjects for _, place in inherited(subject)})
    configs = {place: json.loads(record) for place, record in _at(scope, CONFIGS, places)}
    modes = dict(_at(scope, MODES, places))
    values: dict[str, Any] = {
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        **_columns(subjects),
    }
    with connection.cursor() as cursor:
        cursor.execute(BOUND_AROUND, values)
        bound = {SubjectName(name, context): text for context, name, text in cursor.fetchall()}
    return {
        subject: (
            SettingsInForce(config_among(configs, subject), bound_among(scope, bound[subject])),
            mode_among(modes, subject),
        )
        for subject in subjects
    }


def versions_among(
    keys: Mapping[SubjectName, int], wanted: Iterable[tuple[SubjectName, int, int]]
) -> dict[SubjectName, dict[int, HistoryRow]]:
    """Return versions by subject and number that have a number, or are deleted and have an id.

    ``keys`` are those of subjects of the caller's namespace; ``wanted`` are subjects with a number and a
    schema id each: one statement.
    """
    wanted = list(wanted)
    values: dict[str, Any] = {
        "subjects": [*keys.values()],
        "keys": [keys[subject] for subject, _, _ in wanted],
        "numbers": [number for _, number, _ in wanted],
        "ids": [schema_id for _, _, schema_id in wanted],
    }
    found: dict[SubjectName, dict[int, HistoryRow]] = {}
    with connection.cursor() as cursor:
        cursor.execute(AMONG, values)
        for context, name, *row in cursor.fetchall():
            version = _history_row(*row)
            found.setdefault(SubjectName(name, context), {})[version.number] = version
    return found


def settings_at(scope: Scope, place: PolicyPlace) -> SettingsInForce:
    """Return what a place and those around it decide, and nothing nearer than it.

    Config records belong to namespaces, so the tenant has none.
    """
    if place.namespace is None:
        with connection.cursor() as cursor:
            cursor.execute(BOUND, {"tenant": scope.tenant.id, "namespace": None, "context": "", "name": ""})
            (bound,) = cursor.fetchone() or (None,)
        return SettingsInForce(ConfigInForce(SERVER_CONFIG, "server"), bound_among(scope, bound))
    subject = place.subject or TOP_LEVEL
    found = settings_of(scope, subject)
    if place.subject is not None and not place.is_prefix:
        return found
    reach = Reach.NAMESPACE if place.subject is None else Reach.PREFIX
    return SettingsInForce(
        config_in_force(scope, SubjectName("", subject.context)),
        tuple(one for one in found.bound if one.place.reach <= reach),
    )


def history_of(scope: Scope, subject: SubjectName) -> tuple[HistoryRow, ...]:
    """Return every version of a subject, soft-deleted ones included, oldest first."""
    return standing_of(scope, subject).history.rows


def _at(scope: Scope, statement: str, places: list[SubjectName]) -> list[tuple[SubjectName, Any]]:
    contexts, names = _columns(places).values()
    with connection.cursor() as cursor:
        cursor.execute(statement, [contexts, names, scope.tenant.id, namespace_of(scope)])
        return [(SubjectName(name, context), value) for context, name, value in cursor.fetchall()]


def _columns(places: list[SubjectName]) -> dict[str, list[str]]:
    return {
        "contexts": [place.context for place in places],
        "names": [place.name for place in places],
    }


def _values(scope: Scope, subject: SubjectName) -> dict[str, Any]:
    return {
        **_columns([place for _, place in inherited(subject)]),
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "context": subject.context,
        "name": subject.name,
    }


def _settings(scope: Scope, subject: SubjectName, configs: str | None, bound: str | None) -> SettingsInForce:
    return SettingsInForce(config_among(_by_place(configs), subject), bound_among(scope, bound))


def _by_place(text: str | None) -> dict[SubjectName, Any]:
    return {SubjectName(name, context): value for context, name, value in json.loads(text or "[]")}


def _history_row(key: int, number: int, is_deleted: bool, schema_key: int, *rest: Any) -> HistoryRow:  # noqa: FBT001  # a row of the statement
    schema_id, contract, identity, equivalence, used, *more = rest
    guid, schema_born, born, by, level, size, format_, digest, state, since = more
    references = () if used == NO_REFERENCES else references_of(json.loads(used))
    return HistoryRow(
        version_key=key,
        number=number,
        is_deleted=is_deleted,
        schema_key=schema_key,
        schema_id=schema_id,
        contract_key=contract,
        identity=bytes(identity),
        equivalence=bytes(equivalence),
        references=references,
        guid=guid,
        born=(schema_born, born),
        created_by=by,
        level=level,
        text_bytes=size,
        content_key=("stored", schema_key) if references else (format_, bytes(digest), ()),
        life=Life(VersionState(state), since),
    )
