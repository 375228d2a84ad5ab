"""`/config…` and `/mode…`: settings of a subject, a context, or all of the namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord_server.kit.error_tables import HttpError
from registry import queries, services
from registry.api.confluent import serializers
from registry.errors import InvalidMode

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call


def get_config(call: Call) -> serializers.Json:
    """``GET /config`` and ``GET /config/{subject}``."""
    fallback = call.flag("defaultToGlobal")
    return serializers.config_answer(
        queries.read_config(call.scope, call.subject, default_to_global=fallback)
    )


def put_config(call: Call) -> serializers.Json:
    """``PUT /config`` and ``PUT /config/{subject}``."""
    changes = serializers.config_changes(call.json())
    return serializers.config_update_answer(services.change_config(call.scope, call.written_subject, changes))


def delete_config(call: Call) -> serializers.Json:
    """``DELETE /config`` and ``DELETE /config/{subject}``."""
    return serializers.config_answer(services.delete_config(call.scope, call.subject))


def get_mode(call: Call) -> serializers.Json:
    """``GET /mode`` and ``GET /mode/{subject}``."""
    fallback = call.flag("defaultToGlobal")
    return {"mode": queries.read_mode(call.scope, call.subject, default_to_global=fallback)}


def put_mode(call: Call) -> serializers.Json:
    """``PUT /mode`` and ``PUT /mode/{subject}``: echoes what was sent."""
    body = call.json()
    if "mode" not in body:
        raise InvalidMode
    mode = body["mode"]
    if mode is not None and not isinstance(mode, str):
        raise HttpError(400, "mode must be a string")
    services.change_mode(call.scope, call.new_subject, mode, force=call.flag("force"))
    return {} if mode is None else {"mode": mode}


def delete_mode(call: Call) -> serializers.Json:
    """``DELETE /mode`` and ``DELETE /mode/{subject}``."""
    mode = services.delete_mode(call.scope, call.subject, recursive=call.flag("recursive"))
    return {} if mode is None else {"mode": mode}
