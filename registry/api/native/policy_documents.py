"""Policies, bindings and advice as documents, and bodies about them: translation only."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, cast

from rest_framework import serializers

from accord.model import Format
from accord.naming import parse_subject, split_subject
from accord.policy.advice import advice_by_format, advice_document
from accord.policy.documents import PolicyDocument, read_document, to_yaml
from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import Query, choice
from accord_server.kit.rest_bodies import Body
from registry.policy_records import PolicyPlace, PolicyText
from registry.policy_values import bound_policy, place_document, policy_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rest_framework.request import Request

    from accord.policy.advice import Advice
    from accord_server.kit.scope import Scope
    from registry.api.native.policy_shapes import (
        PolicyBindingShape,
        PolicyRowShape,
        PolicyShape,
        PolicyVersionRow,
        TemplateShape,
    )
    from registry.policy_records import (
        BindingChangeRecord,
        BindingRecord,
        Bound,
        PolicyInForce,
        PolicyRow,
        PolicyVersionRecord,
        ReadPolicy,
    )

Json = dict[str, Any]
LONGEST_REASON: Final = 500
LONGEST_POLICY_NAME: Final = 100
REASON: Final = Query("reason", "Why; it is kept.", {"type": "string", "maxLength": LONGEST_REASON})
FORMAT: Final = choice("format", "Only what holds for this format.", *Format)
# A policy is sent as it is written; its problems are named by line.
TEXT_OF_POLICY: Final[Json] = {"description": "A policy, in JSON or YAML."}


class PolicyBindingSerializer(Body[Any]):
    """The body that says what to bind."""

    policy = serializers.CharField(max_length=LONGEST_POLICY_NAME)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class RevertSerializer(Body[Any]):
    """The body that says which version to bring back."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class TemplateSerializer(Body[Any]):
    """The body that says which template a namespace takes."""

    template = serializers.CharField(max_length=LONGEST_POLICY_NAME)


def written(request: Request) -> PolicyText:
    """Return the policy of a body with the reason of the query.

    Raises:
        HttpError: 400 for a reason that is too long, 422 for no policy at all.
    """
    reason = asked_reason(request)
    members = cast("Json", request.data)
    if not members or not members["text"].strip():
        raise HttpError(422, "The request body must not be null (was empty)")
    return PolicyText(members["text"], members["is_json"], reason)


def asked_reason(request: Request) -> str:
    """Return why something is done, as the query says.

    Raises:
        HttpError: 400 for a reason that is too long.
    """
    reason = request.query_params.get("reason", "").replace("\0", "")
    if len(reason) > LONGEST_REASON:
        raise HttpError(400, f"reason has at most {LONGEST_REASON} characters")
    return reason


def asked_format(request: Request) -> Format | None:
    """Return the format of the query, if one is named.

    Raises:
        HttpError: 400 for one nobody knows.
    """
    name = request.query_params.get("format")
    if name is None:
        return None
    if name.upper() not in set(Format):
        raise HttpError(400, f"format is one of {', '.join(Format)}")
    return Format(name.upper())


def place_of(scope: Scope, *, subject: str = "", prefix: str = "") -> PolicyPlace:
    """Return the place that an address speaks of.

    Raises:
        InvalidSubject: The subject can never exist.
    """
    if prefix:
        return PolicyPlace(scope.namespace, split_subject(prefix), is_prefix=True)
    return PolicyPlace(scope.namespace, parse_subject(subject) if subject else None)


def row_document(row: PolicyRow) -> PolicyRowShape:
    """Return a row of the list of policies."""
    return {
        "name": row.name,
        "version": row.version,
        "description": row.description,
        "created_at": row.changed_at.isoformat(),
        "created_by": row.changed_by,
        "reason": row.reason,
    }


def version_document(record: PolicyVersionRecord) -> PolicyShape:
    """Return a version of a policy with all that is known of it."""
    return {**version_row(record), "document": record.document, "source": record.source}


def version_row(record: PolicyVersionRecord) -> PolicyVersionRow:
    """Return a row of the history of a policy."""
    return {
        "name": record.policy,
        "version": record.number,
        "syntax": record.syntax,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
        "reason": record.reason,
        "reverted_from": record.reverted_from,
    }


def version_yaml(record: PolicyVersionRecord) -> str:
    """Return a version as YAML: as it was written, comments and all, if it was written so."""
    if record.syntax == "yaml":
        return record.source
    document = read_document(record.source, is_json=True).document
    return to_yaml(document or PolicyDocument(record.policy))


def read_document_of(read: ReadPolicy) -> Json:
    """Return what a text would be as a policy."""
    return {
        "is_valid": read.document is not None,
        "problems": [asdict(one) for one in read.problems],
        "document": read.document,
        "advice": advice_by_format(read.advice),
    }


def binding_document(record: BindingRecord) -> PolicyBindingShape:
    """Return where a policy is bound."""
    return {
        "policy": record.policy,
        "version": record.version,
        "namespace": record.namespace,
        "place": place_document(record.place),
        "number": record.number,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
    }


def change_document(record: BindingChangeRecord) -> Json:
    """Return one change of what is bound to a place."""
    return {**asdict(record), "created_at": record.created_at.isoformat()}


def template_rows(found: Sequence[PolicyDocument]) -> list[TemplateShape]:
    """Return templates, of which the first is recommended."""
    return [
        {"name": one.name, "description": one.description, "is_recommended": place == 0}
        for place, one in enumerate(found)
    ]


def bound_document(bound: Bound) -> Json:
    """Return what was bound, with what it means there."""
    return {**binding_document(bound.binding), "advice": advice_by_format(bound.advice)}


def stored_document(record: PolicyVersionRecord, advice: Mapping[Format, Advice]) -> Json:
    """Return what was stored, with what it means by itself."""
    return {**version_document(record), "advice": advice_by_format(advice)}


def policy_in_force_document(record: PolicyInForce) -> Json:
    """Return the policy in force, each value with where it comes from."""
    return {
        "subject": record.subject.qualified,
        "format": record.format,
        **policy_values(record.found),
        "policies": [bound_policy(one) for one in record.bound],
        "advice": advice_document(record.advice),
    }
