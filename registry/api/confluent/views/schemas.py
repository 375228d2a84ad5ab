"""`/schemas…`: all of them, and reads by id and by GUID."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats import PARSERS
from accord.model import Format
from accord.naming import split_subject
from registry import queries, services
from registry.api.confluent import serializers
from registry.api.confluent.aliasing import named
from registry.api.confluent.calls import RawText
from registry.api.confluent.warnings import warned

if TYPE_CHECKING:
    from accord.model import SubjectName
    from registry.api.confluent.calls import Call, WithHeaders
    from registry.records import SchemaRecord

# The rights of which one opens a subject to reads by id.
READS: Final = ("schema.read", "subject.read")
# In the order in which clients know them.
TYPES: Final = (Format.JSON, Format.PROTOBUF, Format.AVRO)


def list_types(call: Call) -> list[str]:  # noqa: ARG001  # the signature of a view
    """``GET /schemas/types``: what a schema of this registry can be written in, and no other."""
    return [str(one) for one in TYPES if one in PARSERS]


def list_schemas(call: Call) -> list[serializers.Json]:
    """``GET /schemas``."""
    asked = queries.SchemasAsked(
        call.text("subjectPrefix"),
        aliases=call.flag("aliases"),
        deleted=call.flag("deleted"),
        latest_only=call.flag("latestOnly"),
        rule_type=call.text("ruleType"),
    )
    found = queries.list_schemas(call.scope, asked, page=call.short_page)
    return [serializers.listed_answer(one, new_members=call.takes_new_members) for one in found]


def get_schema(call: Call) -> serializers.Json | WithHeaders:
    """``GET /schemas/ids/{id}``."""
    found = _read(call)
    answer = serializers.schema_answer(
        found, new_members=call.takes_new_members, qualified=call.wants_qualified
    )
    return warned(answer, found.life)


def get_schema_text(call: Call) -> RawText | WithHeaders:
    """``GET /schemas/ids/{id}/schema``."""
    found = _read(call)
    return warned(RawText(found.text), found.life)


def get_schema_of_guid(call: Call) -> serializers.Json | WithHeaders:
    """``GET /schemas/guids/{guid}``."""
    found = services.schema_of_guid_in_form(call.scope, call.values["guid"], call.form)
    return warned(serializers.schema_answer(found, new_members=call.takes_new_members), found.life)


def list_ids(call: Call) -> list[serializers.Json]:
    """``GET /schemas/guids/{guid}/ids``."""
    pairs = queries.ids_of_guid(call.scope, call.values["guid"])
    return [{"context": context, "id": number} for context, number in pairs]


def list_subjects(call: Call) -> list[str]:
    """``GET /schemas/ids/{id}/subjects``."""
    subject, deleted = _subject(call), call.flag("deleted")
    return queries.subjects_of_schema(
        call.scope, call.schema_id, subject=subject, deleted=deleted, page=call.page
    )


def list_versions(call: Call) -> list[serializers.Json]:
    """``GET /schemas/ids/{id}/versions``."""
    subject, deleted = _subject(call), call.flag("deleted")
    pairs = queries.versions_of_schema(
        call.scope, call.schema_id, subject=subject, deleted=deleted, page=call.page
    )
    return [{"subject": subject, "version": number} for subject, number in pairs]


def _read(call: Call) -> SchemaRecord:
    wants_max = call.flag("fetchMaxId")
    subject = _subject(call)
    return services.schema_in_form(
        call.scope, call.schema_id, call.form, subject=subject, with_max_id=wants_max, tags=call.tags
    )


def _subject(call: Call) -> SubjectName:
    """Return where the caller expects the id."""
    return named(call.scope, split_subject(call.text("subject")), READS)
