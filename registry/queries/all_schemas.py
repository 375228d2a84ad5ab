"""The list of all schemas by subject and version, whatever it is narrowed by, as one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.naming import WILDCARD_CONTEXT, split_subject
from registry.queries.aliases import seen_aliases
from registry.queries.one_version import WHOLE, versions_among
from registry.queries.places import namespace_of
from registry.queries.visibility import COVERED_SUBJECT, READ, cover_of

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import Slice, VersionRecord

ORDER: Final = """
    (CASE subject.context WHEN '.' THEN '' ELSE ':' || subject.context || ':' END || subject.name)
        COLLATE "C", version.number
"""
# Chosen before their texts are read, so that a page far back costs no more than the first.
ALL: Final = f"""{WHOLE} version.id IN (
    SELECT version.id FROM registry_subject AS subject
    JOIN registry_version AS version ON version.subject_id = subject.id
    WHERE subject.tenant_id = %(tenant)s AND subject.namespace_id = %(namespace)s AND (
            (%(context)s::text IS NULL OR subject.context = %(context)s)
                AND starts_with(subject.name, %(beginning)s)
            OR (subject.context, subject.name) IN (
                SELECT * FROM unnest(%(more_contexts)s::text[], %(more_names)s::text[])
            )
        )
        AND {COVERED_SUBJECT} AND (%(deleted)s OR version.deleted_at IS NULL)
        AND NOT (%(latest_only)s AND EXISTS (
            SELECT FROM registry_version AS newer
            WHERE newer.subject_id = subject.id AND newer.number > version.number
                AND (%(deleted)s OR newer.deleted_at IS NULL) AND newer.state <> 'disabled'
        )) AND (NOT %(latest_only)s OR version.state <> 'disabled')
        AND (%(rule_type)s = '' OR EXISTS (
            SELECT FROM registry_schema AS schema
            JOIN registry_contract AS contract ON contract.id = schema.contract_id
            WHERE schema.id = version.schema_id AND jsonb_path_exists(
                contract.rule_set, '$.*[*] ? (@.type == $type)',
                jsonb_build_object('type', %(rule_type)s::text)
            )
        ))
    ORDER BY {ORDER} OFFSET %(offset)s LIMIT %(limit)s
)
ORDER BY {ORDER}
"""  # noqa: S608  # put together from texts of ours


@dataclass(frozen=True, slots=True)
class SchemasAsked:
    """What the list is narrowed by; ``aliases`` adds subjects that such a name is an alias of."""

    prefix: str = ""
    aliases: bool = False
    deleted: bool = False
    latest_only: bool = False
    rule_type: str = ""


class ListedSchema(NamedTuple):
    """One entry: a version, and the other names of its subject where they were asked for."""

    version: VersionRecord
    aliases: tuple[SubjectName, ...] = ()


def list_schemas(scope: Scope, asked: SchemasAsked, *, page: Slice) -> list[ListedSchema]:
    """Return readable versions in order of subject and version: one statement, two with aliases."""
    wanted = split_subject(asked.prefix)
    aliases = seen_aliases(scope) if asked.aliases else {}
    more = [target for target, names in aliases.items() if any(_begins(one, wanted) for one in names)]
    values = {
        **cover_of(scope, READ).parameters(),
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "context": None if wanted.context == WILDCARD_CONTEXT else wanted.context,
        "beginning": wanted.name,
        "more_contexts": [one.context for one in more],
        "more_names": [one.name for one in more],
        "deleted": asked.deleted,
        "latest_only": asked.latest_only,
        "rule_type": asked.rule_type,
        "offset": page.offset,
        "limit": page.limit,
    }
    found = versions_among(ALL, values)
    return [ListedSchema(version, aliases.get(version.subject, ())) for version in found]


def _begins(alias: SubjectName, wanted: SubjectName) -> bool:
    is_there = wanted.context in {WILDCARD_CONTEXT, alias.context}
    return is_there and alias.name.startswith(wanted.name)
