"""The level of a namespace or subject, set with advice; the Confluent dialect sets it without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers
from rest_framework.response import Response

from accord.policy.advice import advice_by_format
from accord_server.kit.operations import tagged
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body
from registry.api.native.policy_documents import place_of
from registry.api.native.policy_shapes import LevelShape
from registry.queries.places import TOP_LEVEL
from registry.services.advising import advice_at
from registry.services.configuration import LEVEL, change_config, level_mark, level_named
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.policy_records import PolicyPlace

LONGEST_LEVEL: Final = 40


class LevelSerializer(Body[Any]):
    """The body that names a level; null leaves it to what is around the place."""

    level = serializers.CharField(max_length=LONGEST_LEVEL, allow_null=True)


class Level(TenantView):
    """The level that the config record of a namespace or a subject names."""

    rights = {"GET": "config.read", "PUT": "config.write"}
    bodies = {"PUT": LevelSerializer}
    answers = dict.fromkeys(("GET", "PUT"), tagged(LevelShape))
    codes = {"PUT": ("unknown_level",)}
    hides = False
    # The advice follows from policies as well.
    tag_is_whole = False

    def get(self, request: Request, subject: str = "", **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it, null where the record names none, and what all that is in force there means."""
        place = place_of(self.scope, subject=subject)
        return self._shown(place, level_named(self.scope, place.subject or TOP_LEVEL))

    def put(self, request: Request, subject: str = "", **_names: str) -> Response:
        """Set it, if nobody was faster; the answer says what all that is in force there then means."""
        expected, level = expected_version(request), self.body(request).validated_data["level"]
        place = place_of(self.scope, subject=subject)
        at = place.subject or TOP_LEVEL
        stored = change_config(self.scope, at, {LEVEL: level}, expected_level=expected)
        return self._shown(place, stored.get(LEVEL))

    def _shown(self, place: PolicyPlace, level: str | None) -> Response:
        advice = advice_by_format(advice_at(self.scope, place))
        return Response({"level": level, "advice": advice}, headers=etag(level_mark({LEVEL: level})))
