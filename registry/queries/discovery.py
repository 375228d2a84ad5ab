"""Searching what there is in schemas: a constant number of statements, however much is found.

The first reads what the words mean in the dictionary, the second finds, counts and cuts among the subjects
that the caller may read and the operators allow. What may not be read changes neither hits nor counts. Hits
are found nearest first and no more than `MOST_HITS` of them: counts are of those.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.discovery.query import Operator
from accord.model import SubjectName
from registry.discovery_records import Found, Hit, HitKind, Nearness
from registry.errors import SearchTooLong
from registry.queries.search_parts import TIERS
from registry.queries.search_sources import in_time, readable_sources
from registry.queries.search_terms import terms_of

if TYPE_CHECKING:
    from accord.discovery.query import Condition
    from accord_server.kit.scope import Scope
    from registry.discovery_records import SearchAsked
    from registry.queries.search_terms import Terms

MOST_HITS: Final = 1_000
# Of conditions that are left out in turn where nothing was found.
MOST_LEFT_OUT: Final = 5
# For each statement that counts what one of them hides: a page that has its answer waits for little more.
HIDDEN_LIMIT_MS: Final = 300
# Of values of one facet, the most frequent first.
MOST_VALUES: Final = 20
BEGINNING: Final = (-1, "", 0, 0)

HITS: Final = """
WITH met AS MATERIALIZED (
    SELECT entry_id, rank FROM registry_field_hits(
        ARRAY({sources} AND %(most)s > 0), %(parts)s::jsonb, %(singles)s::bigint[], %(excluded)s::bigint[],
        %(ways)s::text[], %(most)s, %(past)s
    )
    UNION ALL
    -- Subjects alone are their first entries: no other is read for them.
    (SELECT entry.id, 0 FROM registry_fieldentry AS entry
    WHERE %(is_bare)s AND entry.tenant_id = %(tenant)s AND entry.source_id IN ({sources})
        AND entry.position = 0 AND entry.number = 0 AND NOT entry.words && %(excluded)s::bigint[]
    LIMIT %(most_bare)s)
), hit AS MATERIALIZED (
    SELECT entry_id, min(rank) AS rank FROM met GROUP BY entry_id
), found AS MATERIALIZED (
    SELECT hit.rank, entry.id, entry.kind, entry.position, entry.type, entry.logical, entry.tags,
        source.id AS source_id, source.format, source.owner, source.updated_at, source.is_deleted,
        source.level, namespace.slug, subject.context, subject.name AS subject
    FROM hit
    JOIN registry_fieldentry AS entry ON entry.id = hit.entry_id
    JOIN registry_fieldsource AS source ON source.id = entry.source_id
    JOIN registry_subject AS subject ON subject.id = source.subject_id
    JOIN tenants_namespace AS namespace ON namespace.id = source.namespace_id
    WHERE entry.tenant_id = %(tenant)s AND (NOT %(subjects_alone)s OR entry.kind = 'subject')
        AND (entry.number = 0 OR EXISTS (
            SELECT FROM registry_version AS old
            WHERE old.subject_id = source.subject_id AND old.number = entry.number
                AND (old.deleted_at IS NOT NULL) = source.is_deleted
        ))
), listed AS MATERIALIZED (
    SELECT * FROM found
    WHERE %(kind)s = '' OR kind = %(kind)s OR (%(kind)s = 'doc' AND rank = %(doc_rank)s)
), facet AS (
    SELECT CASE
            WHEN grouping(format) = 0 THEN 'format' WHEN grouping(slug) = 0 THEN 'ns'
            WHEN grouping(type) = 0 THEN 'type' WHEN grouping(logical) = 0 THEN 'logical'
            WHEN grouping(owner) = 0 THEN 'owner' WHEN grouping(level) = 0 THEN 'compat' ELSE 'state'
        END AS name,
        coalesce(
            lower(format), slug, type, logical, owner, lower(level),
            CASE is_deleted WHEN true THEN 'deleted' ELSE 'live' END
        ) AS value,
        count(*) AS hits
    FROM listed
    GROUP BY GROUPING SETS ((format), (slug), (type), (logical), (owner), (level), (is_deleted))
    UNION ALL
    SELECT 'tag', tag, count(*) FROM listed, unnest(tags) AS tag GROUP BY tag
    UNION ALL
    SELECT 'updated', age, count(*)
    FROM listed, LATERAL (SELECT unnest(ARRAY[
        CASE WHEN updated_at >= now() - interval '7 days' THEN '<7d' END,
        CASE WHEN updated_at >= now() - interval '30 days' THEN '<30d' END,
        CASE WHEN updated_at < now() - interval '365 days' THEN '>365d' END
    ]) AS age) AS ages
    WHERE age IS NOT NULL GROUP BY age
    UNION ALL
    SELECT 'kind', kind, count(*) FROM found GROUP BY kind
    UNION ALL
    SELECT 'kind', 'doc', count(*) FROM found WHERE rank = %(doc_rank)s
), page AS (
    SELECT * FROM listed
    WHERE (rank, subject COLLATE "C", source_id, position)
        > (%(rank)s, %(name)s COLLATE "C", %(source)s, %(position)s)
    ORDER BY rank, subject COLLATE "C", source_id, position
    LIMIT %(limit)s
)
SELECT
    (SELECT count(*) FROM met), (SELECT count(*) FROM listed),
    (SELECT coalesce(jsonb_agg(jsonb_build_array(name, value, hits) ORDER BY hits DESC, value), '[]')
        FROM facet WHERE value <> ''),
    (SELECT coalesce(
            jsonb_agg(
                to_jsonb(row) ORDER BY row.rank, row.subject COLLATE "C", row.source_id, row.position
            ), '[]'
        ) FROM (
            SELECT page.rank, page.source_id, page.position, page.slug, page.context, page.subject,
                page.format, page.owner, page.updated_at, page.is_deleted, page.level,
                entry.kind, entry.path, entry.name, entry.type, entry.logical, entry.doc, entry.tags,
                entry.is_required, entry.is_nullable, entry.has_default,
                coalesce(old.number, source.number) AS version, entry.number > 0 AS is_past,
                coalesce(schema.number, 0) AS schema_id
            FROM page
            JOIN registry_fieldentry AS entry ON entry.id = page.id
            JOIN registry_fieldsource AS source ON source.id = page.source_id
            LEFT JOIN registry_version AS old
                ON old.subject_id = source.subject_id AND old.number = entry.number AND entry.number > 0
            LEFT JOIN registry_schema AS schema ON schema.id = coalesce(old.schema_id, source.schema_key)
        ) AS row)
"""


def search_fields(scope: Scope, asked: SearchAsked, *, limit_ms: int | None = None) -> Found:
    """Return what answers a search among the subjects that the caller may read, with counts of values.

    ``limit_ms`` is how long each statement may take, in milliseconds, unless that is as long as a search may.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
        SearchTooLong: It took longer than a search may.
    """
    with in_time(limit_ms):
        sources, values = readable_sources(scope, asked.search)
        terms = terms_of(scope, asked.search)
        (row,) = _rows(HITS.replace("{sources}", sources), values | _values(scope, asked, terms))
    return _found(asked, row, is_capped=terms.is_capped)


def found_without(scope: Scope, asked: SearchAsked) -> tuple[tuple[Condition, int], ...]:
    """Return which one of the first conditions, left out, lets how many hits be found: two statements each.

    It ends with the first that takes long.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
    """
    counts = []
    for one in asked.search.conditions[:MOST_LEFT_OUT]:
        kept = tuple(other for other in asked.search.conditions if other != one)
        search = replace(asked.search, conditions=kept)
        if search.is_empty:
            continue
        less = replace(asked, search=search, after=None, limit=1)
        try:
            counts.append((one, search_fields(scope, less, limit_ms=HIDDEN_LIMIT_MS).total))
        except SearchTooLong:
            break
    return tuple((one, total) for one, total in counts if total)


def _values(scope: Scope, asked: SearchAsked, terms: Terms) -> dict[str, Any]:
    search = asked.search
    ways = [one for one in (search.way, *search.of(Operator.FIELD)) if "." in one]
    rank, name, source, position = asked.after or BEGINNING
    subjects_alone = search.schema_id is not None or bool(search.fingerprint)
    is_bare = subjects_alone and not (terms.parts or terms.singles or ways)
    most = 0 if terms.is_nothing else MOST_HITS
    return {
        "tenant": scope.tenant.id,
        "parts": json.dumps([one._asdict() for one in terms.parts]),
        "singles": list(terms.singles),
        "excluded": list(terms.excluded),
        "ways": [one.strip("*") for one in ways],
        "most": 0 if is_bare else most,
        "most_bare": most,
        "is_bare": is_bare,
        "past": search.is_past,
        "subjects_alone": subjects_alone,
        "kind": asked.kind.value,
        "doc_rank": TIERS.index(Nearness.DOC),
        "rank": rank,
        "name": name,
        "source": source,
        "position": position,
        "limit": asked.limit + 1,
    }


def _found(asked: SearchAsked, row: tuple[Any, ...], *, is_capped: bool) -> Found:
    found, total, counted, rows = (json.loads(one) if isinstance(one, str) else one for one in row)
    facets: dict[str, dict[str, int]] = {}
    for name, value, hits in counted:
        values = facets.setdefault(name, {})
        if len(values) < MOST_VALUES:
            values[value] = hits
    kept = rows[: asked.limit]
    last = kept[-1] if len(rows) > asked.limit else None
    return Found(
        hits=tuple(map(_hit, kept)),
        total=total,
        counts={one.value: facets.get("kind", {}).get(one.value, 0) for one in HitKind if one.value},
        facets={name: values for name, values in facets.items() if name != "kind"},
        is_capped=is_capped or found >= MOST_HITS,
        after=None if last is None else (last["rank"], last["subject"], last["source_id"], last["position"]),
    )


def _hit(row: dict[str, Any]) -> Hit:
    same = ("kind", "version", "schema_id", "format", "path", "name", "type", "logical", "doc", "owner")
    flags = ("is_past", "level", "is_required", "is_nullable", "has_default", "is_deleted")
    return Hit(
        nearness=TIERS[row["rank"]],
        namespace=row["slug"],
        subject=SubjectName(row["subject"], row["context"]).qualified,
        tags=tuple(row["tags"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        **{name: row[name] for name in (*same, *flags)},
    )


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
