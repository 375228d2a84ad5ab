"""Tags inside the texts of schemas: those of a new one are changed before it is judged, others are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from accord.contracts.tagging import retagged, schema_tags
from accord.model import SchemaText
from registry.queries.history import stored_schemas
from registry.queries.visibility import may_see
from registry.records import NO_TAG_CHANGES
from registry.services.candidates import prepare

if TYPE_CHECKING:
    from collections.abc import Collection

    from accord.model import SchemaTags
    from accord_server.kit.scope import Scope
    from registry.records import RegisterVersion, SchemaRecord
    from registry.services.candidates import Candidate
    from registry.services.situation import Situation

# An answer must not weigh many times what the schema does.
MOST_FOUND: Final = 5_000


def with_tags(scope: Scope, command: RegisterVersion, sent: Candidate, now: Situation) -> Candidate:
    """Return the candidate with its tags as the registration asks; an import is taken as it is.

    Raises:
        InvalidSchema: Tags are asked for where the schema has nothing to tag; it is told where.
        SchemaTooLarge: They make the schema too long.
    """
    if command.tags == NO_TAG_CHANGES or now.is_import:
        return sent
    source = SchemaText(sent.parsed.format, sent.parsed.canonical, sent.parsed.references)
    carried = _latest_tags(scope, source, now) if command.tags.carries else ()
    changed = retagged(source, add=command.tags.add, remove=command.tags.remove, carried=carried)
    if changed == source:
        return sent
    normalize = command.normalize or now.config.normalizes
    candidate = prepare(scope, command.subject, changed, normalize=normalize, strict=now.config.is_strict)
    return replace(candidate, contract=sent.contract)


def found_tags(schema: SchemaRecord, wanted: Collection[str]) -> SchemaRecord:
    """Return a schema with the parts that have one of the tags, `MOST_FOUND` of them; none are looked for."""
    if not wanted:
        return schema
    source = SchemaText(schema.format, schema.text, schema.references)
    return replace(schema, tags=schema_tags(source, wanted, MOST_FOUND))


def _latest_tags(scope: Scope, source: SchemaText, now: Situation) -> tuple[SchemaTags, ...]:
    """Return the tags of the latest version: there is none for who may not read it."""
    if not now.usable or not may_see(scope, now.subject):
        return ()
    latest = now.usable[-1].schema_key
    stored = stored_schemas(scope, [latest])[latest].source
    return schema_tags(stored) if stored.format is source.format else ()
