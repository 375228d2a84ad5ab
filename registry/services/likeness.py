"""Whether a schema is there already under another name: a hint, which refuses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.discovery.likeness import ways_of
from accord.discovery.listings import listing_of
from accord.model import SchemaText
from registry.errors import EmptySchema, SearchTooLong
from registry.queries import likeness
from registry.queries.visibility import admit
from registry.services.candidates import prepare
from registry.services.heavy import length_of, turn_for
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.discovery_records import Similar


def similar_subjects(scope: Scope, subject: SubjectName, schema: SchemaText | None) -> tuple[Similar, ...]:
    """Return the other subjects whose latest schemas are much like this one, as far as the caller may read.

    Where that takes too long, none.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or the subject may not be seen.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        TooBusy: The schema is large, and so are others just now.
    """
    admit(scope, subject, "compat.check")
    if schema is None or not schema.text.strip():
        raise EmptySchema
    with turn_for(length_of(schema)):
        parsed = prepare(scope, subject, schema).parsed
        ways = ways_of(listing_of(SchemaText(parsed.format, parsed.canonical)).rows)
    try:
        return likeness.similar_subjects(scope, subject, ways)
    except (RightMissing, SearchTooLong):
        return ()
