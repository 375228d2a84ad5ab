"""Views of quotas and of what was used of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import Query, single, tagged
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Changes
from tenants.api.base import TenantView
from tenants.api.documents import moment
from tenants.api.shapes import DayShape, QuotaShape, QuotasShape, UsageShape
from tenants.queries.quotas import quota_record, usage_between
from tenants.quotas import RESOURCES
from tenants.services.quotas import HIGHEST, set_limits

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tenants.quota_records import DayOfUse, QuotaRecord, ResourceUse

LONGEST_SPAN: Final = timedelta(days=400)
A_DAY: Final = {"type": "string", "format": "date"}
USUAL_SPAN: Final = timedelta(days=29)


class LimitsSerializer(Changes[Any]):
    """The body that changes quotas: numbers by the names of limits, null for what counts without."""

    limits = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=HIGHEST, allow_null=True), allow_empty=False
    )


class Quotas(TenantView):
    """The limits of a tenant, and what is in use of them."""

    rights = {"GET": "quota.read", "PATCH": "quota.manage"}
    bodies = {"PATCH": LimitsSerializer}
    answers = dict.fromkeys(("GET", "PATCH"), tagged(QuotasShape))
    codes = {"PATCH": ("invalid_detail",)}
    hides = False
    # What is in use changes without the limits.
    tag_is_whole = False

    def get(self, request: Request, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return them all."""
        return _shown(quota_record(self.scope))

    def patch(self, request: Request, **_names: str) -> Response:
        """Set some: operators what the tenant may have, its own people less than that for themselves."""
        expected, wanted = expected_version(request), self.body(request).validated_data["limits"]
        return _shown(set_limits(self.scope, wanted=wanted, expected=expected))


class Usage(TenantView):
    """What a tenant used of its quotas, day by day."""

    rights = {"GET": "quota.read"}
    answers = {"GET": single(UsageShape)}
    queries = {
        "GET": (
            Query("from", "The first day, such as 2026-11-22.", A_DAY),
            Query("to", "The last day; today unless given.", A_DAY),
        )
    }
    hides = False

    def get(self, request: Request, **_names: str) -> Response:
        """List the days from ``from`` to ``to``, without them the last thirty."""
        last = _day(request, "to", timezone.now().date())
        first = _day(request, "from", last - USUAL_SPAN)
        if not timedelta() <= last - first <= LONGEST_SPAN:
            raise HttpError(400, f"'from' comes before 'to', and at most {LONGEST_SPAN.days} days before")
        days = [_day_document(one) for one in usage_between(self.scope, first, last)]
        return Response({"from": first.isoformat(), "to": last.isoformat(), "items": days, "next": None})


def quotas_document(record: QuotaRecord) -> QuotasShape:
    """Return every limit with what is in use of it."""
    return {"items": [_use_document(one) for one in record.uses], "next": None}


def _use_document(use: ResourceUse) -> QuotaShape:
    row = RESOURCES[use.name]

    def shown(limit: int) -> int | None:
        return None if row.has_none and not limit else limit

    return {
        "name": use.name,
        "things": row.things,
        "measure": row.measure,
        "limit": shown(use.limit),
        "ceiling": shown(use.ceiling),
        "default": shown(use.default),
        "used": use.used,
        "percent": use.percent,
        "is_near": use.is_near,
        "warned_at": moment(use.warned_at),
        "advice": row.advice,
    }


def _day_document(one: DayOfUse) -> DayShape:
    return {"day": one.day.isoformat(), "used": dict(one.used)}


def _day(request: Request, name: str, otherwise: date) -> date:
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise HttpError(400, f"'{name}' is a day, such as 2026-11-22") from None


def _shown(record: QuotaRecord) -> Response:
    return Response(quotas_document(record), headers=etag(record.revision))
