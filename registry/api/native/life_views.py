"""Views of the life of versions: states, rollback, details, and what may be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers
from rest_framework.response import Response

from accord.naming import parse_subject
from accord_server.kit.operations import Reply, tagged
from accord_server.kit.preconditions import LARGEST_NUMBER, etag, expected_version
from accord_server.kit.rest_bodies import Body, Changes
from registry.api.native.life_documents import described_document, life_document, switches_document
from registry.api.native.shapes import DeletionRulesShape, DetailsShape, RolledBack, VersionStateShape
from registry.life_records import ChangeState, Describe, RollBack
from registry.models import LONGEST_REASON
from registry.queries.deletion_rules import deletion_rules
from registry.queries.lives import described, version_life
from registry.services.deletion_rules import set_deletion_rules
from registry.services.describing import describe
from registry.services.rolling_back import roll_back
from registry.services.version_states import change_state
from registry.version_states import VersionState
from tenants.api.base import TenantView
from tenants.details import LONGEST_DESCRIPTION, LONGEST_VALUE, MOST_LABELS

if TYPE_CHECKING:
    from rest_framework.request import Request

STATES: Final = [one.value for one in VersionState]


class StateSerializer(Body[Any]):
    """The body that changes a state."""

    state = serializers.ChoiceField(
        STATES, error_messages={"invalid_choice": f"Must be one of: {', '.join(STATES)}."}
    )
    reason = serializers.CharField(max_length=LONGEST_REASON)


class RollbackSerializer(Body[Any]):
    """The body that says which version comes back, and whether it is judged."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    skip_check = serializers.BooleanField(default=False)


class DescribeSerializer(Changes[Any]):
    """What can be said of a subject or a version."""

    description = serializers.CharField(
        max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, trim_whitespace=False
    )
    labels = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_LABELS,
        error_messages={"not_a_list": "Must be a list."},
    )
    properties = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_VALUE, allow_blank=True), required=False
    )

    def command(self, expected: int | None) -> Describe:
        """Return what the service is asked."""
        given = self.validated_data
        labels = tuple(given["labels"]) if "labels" in given else None
        return Describe(given.get("description"), labels, given.get("properties"), expected)


class DeletionRulesSerializer(Body[Any]):
    """The body that says what may not be deleted."""

    forbids_soft = serializers.BooleanField()
    forbids_permanent = serializers.BooleanField()


class State(TenantView):
    """The state of a version."""

    rights = {"GET": "subject.read", "PUT": "version.promote"}
    bodies = {"PUT": StateSerializer}
    answers = dict.fromkeys(("GET", "PUT"), tagged(VersionStateShape))
    codes = {
        "PUT": (
            "read_only",
            "restore_refused",
        )
    }

    def get(self, request: Request, subject: str, version: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it, and how the version came to it."""
        found = version_life(self.scope, parse_subject(subject), version)
        return Response(life_document(found), headers=etag(found.revision))

    def put(self, request: Request, subject: str, version: int, **_names: str) -> Response:
        """Change it, if nobody was faster."""
        expected, given = expected_version(request), self.body(request).validated_data
        command = ChangeState(version, VersionState(given["state"]), given["reason"], expected)
        found = change_state(self.scope, parse_subject(subject), command)
        return Response(life_document(found), headers=etag(found.revision))


class Rollback(TenantView):
    """The way back to an older version's schema."""

    rights = {"POST": "subject.write"}
    bodies = {"POST": RollbackSerializer}
    answers = {"POST": Reply(RolledBack, 201, (200,))}
    codes = {
        "POST": (
            "content_refused",
            "read_only",
            "rollback_refused",
            "version_disabled",
            "version_not_found",
        )
    }

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Register it as the next version, unless it is the latest already."""
        given = self.body(request).validated_data
        command = RollBack(given["version"], skips_check=given["skip_check"])
        registered = roll_back(self.scope, parse_subject(subject), command)
        version = registered.version
        document = {
            "subject": version.subject.qualified,
            "version": version.number,
            "id": version.schema.id,
            "brings_back": command.number,
            "is_new": registered.is_new,
        }
        return Response(document, status=201 if registered.is_new else 200)


class SubjectDetails(TenantView):
    """What is said of a subject."""

    rights = {"GET": "subject.read", "PATCH": "subject.write"}
    bodies = {"PATCH": DescribeSerializer}
    answers = dict.fromkeys(("GET", "PATCH"), tagged(DetailsShape))
    codes = {"PATCH": ("invalid_detail",)}

    def get(self, request: Request, subject: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        found = described(self.scope, parse_subject(subject))
        return Response(described_document(found), headers=etag(found.revision))

    def patch(self, request: Request, subject: str, **_names: str) -> Response:
        """Change parts of it, if nobody was faster."""
        command = self.body(request).command(expected_version(request))
        found = describe(self.scope, parse_subject(subject), command)
        return Response(described_document(found), headers=etag(found.revision))


class VersionDetails(TenantView):
    """What is said of a version."""

    rights = {"GET": "subject.read", "PATCH": "subject.write"}
    bodies = {"PATCH": DescribeSerializer}
    answers = dict.fromkeys(("GET", "PATCH"), tagged(DetailsShape))
    codes = {"PATCH": ("invalid_detail",)}

    def get(self, request: Request, subject: str, version: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        found = described(self.scope, parse_subject(subject), version)
        return Response(described_document(found), headers=etag(found.revision))

    def patch(self, request: Request, subject: str, version: int, **_names: str) -> Response:
        """Change parts of it, if nobody was faster."""
        command = self.body(request).command(expected_version(request))
        found = describe(self.scope, parse_subject(subject), command, version)
        return Response(described_document(found), headers=etag(found.revision))


class _DeletionRules(TenantView):
    """What may not be deleted."""

    bodies = {"PUT": DeletionRulesSerializer}
    answers = dict.fromkeys(("GET", "PUT"), tagged(DeletionRulesShape))
    hides = False
    # What is in force is said elsewhere too.
    tag_is_whole = False

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # as above
        """Return what is forbidden here, and what is forbidden in force, with who forbids it."""
        found = deletion_rules(self.scope)
        return Response(switches_document(found), headers=etag(found.revision))

    def put(self, request: Request, **_names: str) -> Response:
        """Say it, if nobody was faster."""
        expected, given = expected_version(request), self.body(request).validated_data
        found = set_deletion_rules(self.scope, **given, expected=expected)
        return Response(switches_document(found), headers=etag(found.revision))


class NamespaceDeletionRules(_DeletionRules):
    """What may not be deleted in a namespace."""

    rights = {"GET": "namespace.read", "PUT": "namespace.manage"}


class TenantDeletionRules(_DeletionRules):
    """What may not be deleted in all of a tenant."""

    rights = {"GET": "tenant.read", "PUT": "tenant.manage"}
