"""`/subjects…`: register, look up, list, read, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry import queries, services
from registry.api.confluent import serializers
from registry.api.confluent.calls import RawText
from registry.api.confluent.warnings import warned

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call, WithHeaders
    from registry.records import VersionRecord

EVERY_CONTEXT = ":*:"


def list_subjects(call: Call) -> list[str]:
    """``GET /subjects``."""
    return queries.list_subjects(
        call.scope,
        prefix=call.text("subjectPrefix", EVERY_CONTEXT),
        deleted=call.flag("deleted"),
        deleted_only=call.flag("deletedOnly"),
        page=call.page,
    )


def look_up(call: Call) -> serializers.Json | WithHeaders:
    """``POST /subjects/{subject}``."""
    normalize, deleted = call.flag("normalize"), call.flag("deleted")
    command = serializers.lookup(call.subject, call.json(), normalize=normalize, deleted=deleted)
    found = services.look_up_in_form(call.scope, command, call.form)
    return warned(serializers.version_answer(found, new_members=call.takes_new_members), found.life)


def delete_subject(call: Call) -> list[int]:
    """``DELETE /subjects/{subject}``."""
    if call.flag("permanent"):
        return services.purge_subject(call.scope, call.subject)
    return services.soft_delete_subject(call.scope, call.subject)


def list_versions(call: Call) -> list[int]:
    """``GET /subjects/{subject}/versions``."""
    if call.flag("deletedAsNegative"):
        return queries.signed_version_numbers(call.scope, call.subject, page=call.page)
    return queries.version_numbers(
        call.scope,
        call.subject,
        deleted=call.flag("deleted"),
        deleted_only=call.flag("deletedOnly"),
        page=call.page,
    )


def register(call: Call) -> serializers.Json | WithHeaders:
    """``POST /subjects/{subject}/versions``."""
    command = serializers.registration(call.written_subject, call.json(), normalize=call.flag("normalize"))
    version = services.register_in_form(call.scope, command, call.form).version
    return warned(serializers.registered_answer(version, new_members=call.takes_new_members), version.life)


def tag(call: Call) -> serializers.Json:
    """``POST /subjects/{subject}/versions/{version}/tags``."""
    command = serializers.tagging(call.written_subject, call.version, call.json())
    registered = services.tag_version(call.scope, command)
    return serializers.registered_answer(registered.version, new_members=call.takes_new_members)


def get_version_with(call: Call) -> serializers.Json | WithHeaders:
    """``GET /subjects/{subject}/metadata``."""
    found = services.version_with_in_form(
        call.scope, call.subject, call.properties, call.form, deleted=call.flag("deleted")
    )
    return warned(serializers.version_answer(found, new_members=call.takes_new_members), found.life)


def get_version(call: Call) -> serializers.Json | WithHeaders:
    """``GET /subjects/{subject}/versions/{version}``."""
    found = _read(call)
    answer = serializers.version_answer(
        found, new_members=call.takes_new_members, qualified=call.wants_qualified
    )
    return warned(answer, found.life)


def get_version_text(call: Call) -> RawText | WithHeaders:
    """``GET /subjects/{subject}/versions/{version}/schema``."""
    found = _read(call)
    return warned(RawText(found.schema.text), found.life)


def list_dependants(call: Call) -> list[int]:
    """``GET /subjects/{subject}/versions/{version}/referencedby``."""
    version, deleted = call.version, call.flag("deleted")
    return queries.dependants_of(call.scope, call.subject, version, deleted=deleted, page=call.short_page)


def delete_version(call: Call) -> int:
    """``DELETE /subjects/{subject}/versions/{version}``."""
    version = call.version
    if call.flag("permanent"):
        return services.purge_version(call.scope, call.subject, version)
    return services.soft_delete_version(call.scope, call.subject, version)


def _read(call: Call) -> VersionRecord:
    return services.version_in_form(
        call.scope, call.subject, call.version, call.form, deleted=call.flag("deleted"), tags=call.tags
    )
