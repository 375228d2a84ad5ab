"""What the browser looks at: a subject with a history, many subjects, hostile names, empty places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from registry.records import RegisterVersion
from registry.services.registration import register_version
from tenants.queries import scope_for_user
from tests import factories
from tests.frontend.schemas import ORDERS, TIER_TEXT, field, record

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

SUBJECT: Final = "/t/north/ns/default/s/orders-value/-/"
FLEET: Final = "/t/north/ns/default/s/telemetry.fleet-value/-/versions"
# Nobody, and the cast.
VISITORS: Final = ("", "alice", "bob", "carol", "mallory")
# Each page and state: who looks, where.
EXHIBITS: Final[dict[str, tuple[str, str]]] = {
    "sign-in": ("", "/sign-in"),
    "tenant": ("alice", "/t/north/"),
    "subjects": ("bob", "/t/north/ns/default/"),
    "subjects-page-2": ("bob", "/t/north/ns/default/?page=2"),
    "subjects-found": ("bob", "/t/north/ns/default/?q=ORDERS"),
    "subjects-not-found": ("bob", "/t/north/ns/default/?q=nothing+like+it"),
    "subjects-past-end": ("bob", "/t/north/ns/default/?page=99"),
    "subjects-first-run": ("carol", "/t/north/ns/payments/"),
    "definition": ("bob", SUBJECT),
    "definition-old": ("bob", SUBJECT + "?v=1"),
    "definition-reference": ("bob", "/t/north/ns/default/s/members-value/-/"),
    "definition-hostile-name": ("bob", "/t/north/ns/default/s/~2Fa~2F~2Fb%20%25%20%3Cb%3E%20~7E/-/"),
    "versions": ("bob", SUBJECT + "versions"),
    "versions-lone": ("bob", "/t/north/ns/default/s/members-value/-/versions"),
    "versions-page-2": ("bob", FLEET + "?from=60&to=1&page=2"),
    "versions-past-end": ("bob", SUBJECT + "versions?page=9"),
    "diff-passes": ("bob", SUBJECT + "diff?from=1&to=2"),
    "diff-blocks": ("bob", SUBJECT + "diff?from=3&to=2"),
    "diff-unified": ("bob", SUBJECT + "diff?from=1&to=3&view=unified"),
    "diff-all-lines": ("bob", SUBJECT + "diff?from=2&to=3&context=all"),
    "diff-same": ("bob", SUBJECT + "diff?from=2&to=2"),
    "rules": ("", "/rules/"),
    "rule": ("", "/rules/READER_FIELD_MISSING_DEFAULT_VALUE"),
    "not-found": ("mallory", "/t/north/"),
}


def fill() -> dict[str, User]:
    """Make the cast and what they look at; return their accounts by name."""
    north, south = factories.make_tenant("north"), factories.make_tenant("south")
    for slug in ("payments", "staging"):
        factories.make_namespace(north, slug)
    factories.make_person(north, "alice", role="admin")
    factories.make_person(north, "bob", role="viewer")
    factories.make_person(north, "carol", role="developer", namespace="payments")
    factories.make_person(south, "mallory", role="admin")
    users = {user.username: user for user in User.objects.all()}
    register_exhibits(scope_for_user(users["alice"], "north", "default"))
    return users


def register_exhibits(scope: Scope) -> None:
    """Register everything in Alice's name."""

    def put(subject: str, text: str, *references: Reference) -> None:
        schema = SchemaText(Format.AVRO, text, references)
        register_version(scope, RegisterVersion(subject=parse_subject(subject), schema=schema))

    for text in ORDERS:
        put("orders-value", text)
    put("tiers-value", TIER_TEXT)
    reference = Reference("com.example.Tier", "tiers-value", 1)
    put("members-value", record(field("tier", "com.example.Tier"), name="Member"), reference)
    put("/a//b % <b> ~", record(field("id", "long", doc="</code><script>alert(1)</script> \u202e")))
    put(":.staging:orders-value", ORDERS[0])
    for number in range(60):
        put("telemetry.fleet-value", record(field("at", "long", doc=f"Edition {number}"), name="Fleet"))
    for number in range(50):
        put(f"telemetry.device-{number:02}-value", record(field("at", "long"), name="Device"))
