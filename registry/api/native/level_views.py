"""The level of a namespace or subject, set with advice; the Confluent dialect sets it without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers
from rest_framework.response import Response

from accord.policy.advice import advice_by_format
from accord_server.kit.operations import single
from accord_server.kit.rest_bodies import Body
from registry.api.native.policy_documents import place_of
from registry.api.native.policy_shapes import LevelShape
from registry.queries.places import TOP_LEVEL
from registry.services.advising import advice_at
from registry.services.configuration import LEVEL, change_config
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

LONGEST_LEVEL: Final = 40


class LevelSerializer(Body[Any]):
    """The body that names a level; null leaves it to what is around the place."""

    level = serializers.CharField(max_length=LONGEST_LEVEL, allow_null=True)


class Level(TenantView):
    """The level that the config record of a namespace or a subject names."""

    rights = {"PUT": "config.write"}
    bodies = {"PUT": LevelSerializer}
    answers = {"PUT": single(LevelShape)}
    hides = False

    def put(self, request: Request, subject: str = "", **_names: str) -> Response:
        """Set it; the answer says what all that is in force there then means."""
        level = self.body(request).validated_data["level"]
        place = place_of(self.scope, subject=subject)
        stored = change_config(self.scope, place.subject or TOP_LEVEL, {LEVEL: level})
        advice = advice_by_format(advice_at(self.scope, place))
        return Response({"level": stored.get(LEVEL), "advice": advice})
