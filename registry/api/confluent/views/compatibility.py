"""`/compatibility…`: checks that store nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry import services
from registry.api.confluent import serializers

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call
    from registry.records import CheckOutcome


def check_all(call: Call) -> serializers.Json:
    """``POST /compatibility/subjects/{subject}/versions``."""
    return _check(call, None)


def check_one(call: Call) -> serializers.Json:
    """``POST /compatibility/subjects/{subject}/versions/{version}``."""
    return _check(call, call.version)


def _check(call: Call, against: int | str | None) -> serializers.Json:
    is_verbose, body = call.flag("verbose"), call.json()
    try:
        command = serializers.check(call.subject, body, against=against, normalize=call.flag("normalize"))
        outcome = services.check_compatibility(call.scope, command)
    except services.SCHEMA_REFUSALS as refusal:
        if not is_verbose:
            raise
        return {"is_compatible": False, "messages": [refusal.message]}
    return _answer(outcome, is_verbose=is_verbose)


def _answer(outcome: CheckOutcome, *, is_verbose: bool) -> serializers.Json:
    answer: serializers.Json = {"is_compatible": outcome.verdict.is_allowed}
    return {**answer, "messages": list(outcome.messages)} if is_verbose else answer
