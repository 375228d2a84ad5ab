"""Dry runs of policies: bodies into commands and records into documents, translation only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from accord_server.kit.error_tables import HttpError
from accord_server.kit.rest_bodies import Body
from registry.api.native.policy_documents import LONGEST_POLICY_NAME, place_of
from registry.api.native.serializers import LONGEST_NAME, LevelField
from registry.dry_run_records import ChangeKind, StartDryRun
from registry.policy_records import PolicyPlace, PolicyText
from registry.policy_values import place_document
from registry.queries.policies import binding_place

if TYPE_CHECKING:
    from rest_framework.request import Request

    from accord_server.kit.scope import Scope
    from registry.api.native.policy_shapes import DecisionOfRule, DryRunShape, VerdictChangeShape
    from registry.dry_run_records import Decision, DryRunRecord, DryRunRow

REACHES: Final = ("tenant", "namespace", "prefix", "subject")


class PlaceSerializer(Body[Any]):
    """A place that a policy can be bound to."""

    reach = serializers.ChoiceField(
        REACHES, error_messages={"invalid_choice": f"Must be one of: {', '.join(REACHES)}."}
    )
    name = serializers.CharField(
        max_length=LONGEST_NAME, required=False, default="", allow_blank=True, trim_whitespace=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a name where there is none, and a missing one."""
        needs_name = attrs["reach"] in {"prefix", "subject"}
        if needs_name != bool(attrs["name"]):
            raise serializers.ValidationError(
                {"name": "A prefix or a subject needs a name." if needs_name else "It has no name."}
            )
        return attrs


class DryRunSerializer(Body[Any]):
    """The body that says what to try, and where."""

    policy = serializers.CharField(max_length=LONGEST_POLICY_NAME, required=False, default="")
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, default=None)
    document = serializers.JSONField(required=False, default=None)
    level = LevelField(required=False, allow_null=True, default=None)
    place = PlaceSerializer(required=False, default=None, allow_null=True)

    def validate_document(self, given: object) -> PolicyText | None:
        """Take a policy as an object, or as the text of one in YAML."""
        if given is None:
            return None
        if not isinstance(given, dict | str):
            raise serializers.ValidationError("Must be an object, or the text of a policy in YAML.")
        if isinstance(given, dict):
            return PolicyText(json.dumps(given), is_json=True, is_object=True)
        return PolicyText(given)

    def command(self, scope: Scope) -> StartDryRun:
        """Return what the service is asked.

        Raises:
            InvalidSubject: The name can never exist.
        """
        given = self.validated_data
        where = given["place"]
        place = None if where is None else _place(scope, where["reach"], where["name"])
        return StartDryRun(given["policy"], given["version"], given["document"], given["level"], place)


def asked_kind(request: Request) -> ChangeKind | None:
    """Return the kind of change that the query asks for, if any.

    Raises:
        HttpError: 400 for one that there is not.
    """
    name = request.query_params.get("change")
    if name is None:
        return None
    if name not in set(ChangeKind):
        raise HttpError(400, f"change is one of {', '.join(ChangeKind)}")
    return ChangeKind(name)


def dry_run_document(scope: Scope, record: DryRunRecord) -> DryRunShape:
    """Return a dry run as its caller follows it."""
    return {
        "id": str(record.id),
        "state": record.state,
        "proposal": record.proposal,
        "places": [place_document(binding_place(scope, one)) for one in record.places],
        "progress": {"done": record.done, "total": record.total},
        "changes": {kind: record.tally[kind] for kind in ChangeKind},
        "comparisons": record.tally["compared"],
        "cut": record.cut or None,
        "failure": record.failure or None,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
    }


def change_document(row: DryRunRow) -> VerdictChangeShape:
    """Return one version whose verdict changes, and what decides that."""
    change = row.change
    return {
        "subject": row.subject.qualified,
        "version": row.version,
        "change": change.kind,
        "decided_by": [_decision(one) for one in change.decided_by],
        "left_out": change.left_out,
    }


def _decision(one: Decision) -> DecisionOfRule:
    return {
        "rule": one.rule,
        "path": one.path,
        "direction": one.direction,
        "version": one.version,
        "before": one.before,
        "after": one.after,
        "message": one.message,
    }


def _place(scope: Scope, reach: str, name: str) -> PolicyPlace:
    if reach == "tenant":
        return PolicyPlace()
    return place_of(scope, **{reach: name} if name else {})
