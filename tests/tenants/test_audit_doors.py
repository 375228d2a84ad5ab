"""Whatever door a call comes in by, its refusal is recorded; whatever is recorded, no secret is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from accord_server.kit import tenancy
from tenants import services
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tests.cast import bearer, issued_for
from tests.contract.refusals import Caller, document
from tests.factories import PASSWORD

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

NORTH = "/api/v1/tenants/north"
SCHEMA = {"schema": '"int"'}
# What Bob, who only reads, may not do: method, address, body, the right he lacks.
DOORS: list[tuple[str, str, Any, str]] = [
    ("POST", "/sr/north/default/subjects/orders-value/versions", SCHEMA, "subject.write"),
    ("PUT", "/sr/north/default/config", {"compatibility": "NONE"}, "config.write"),
    ("PUT", "/sr/north/default/mode", {"mode": "READONLY"}, "mode.write"),
    ("GET", f"{NORTH}/audit", None, "audit.read"),
    ("GET", f"{NORTH}/audit/verification", None, "audit.read"),
    ("POST", f"{NORTH}/roles", {"name": "mine", "rights": ["subject.read"]}, "role.manage"),
    ("PUT", f"{NORTH}/namespaces/default/anonymous-access", {"access": "read"}, "namespace.manage"),
]


def rows(actor: Actor, **wanted: Any) -> list[AuditRecord]:
    with tenancy.tenant_context(actor.tenant.id):
        found = AuditRecord.objects.scoped(operator_scope(actor.tenant.ref)).filter(**wanted)
        return list(found.order_by("id"))


@pytest.mark.parametrize(("method", "path", "body", "right"), DOORS, ids=lambda one: str(one)[-40:])
def test_a_refused_call_is_recorded_with_its_token(
    bob: Actor, method: str, path: str, body: Any, right: str
) -> None:
    issued = issued_for(bob)
    refused = Caller(bearer(issued.value)).send(method, path, body, {"If-Match": "*"})
    assert refused.status_code == 403
    (record,) = rows(bob, outcome="denied")
    assert (record.actor, record.action, record.object_name) == (bob.key, right, path)
    assert (record.token_key_id, record.token_slot) == (issued.record.key_id, 1)
    assert (record.request_id, record.address) == ("same", "127.0.0.1")


@pytest.mark.parametrize(
    "path", ["/sr/north/default/schemas/ids/1", "/sr/north/default/subjects", f"{NORTH}/audit"]
)
def test_a_dead_token_is_recorded_at_every_door(alice: Actor, path: str) -> None:
    issued = issued_for(alice)
    services.revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
    assert Caller(bearer(issued.value)).send("GET", path).status_code == 401
    (record,) = rows(alice, outcome="denied")
    assert (record.action, record.object_name) == ("authenticate", path)


def test_a_page_is_a_door_too(bob: Actor) -> None:
    browser = Client()
    browser.force_login(bob.user)
    assert browser.get("/t/north/audit/").status_code == 403
    assert [(row.actor, row.action) for row in rows(bob, outcome="denied")] == [(bob.key, "audit.read")]


def test_no_secret_is_ever_recorded(alice: Actor, bob: Actor, token_for: TokenFor) -> None:
    admin = Caller(bearer(token_for(alice)))
    wanted = {"name": "ours", "grants": [{"preset": "consumer"}]}
    issued = document(admin.send("POST", f"{NORTH}/tokens", wanted))
    rolled = document(admin.send("POST", f"{NORTH}/tokens/{issued['key_id']}/roll", {"grace": "1h"}))
    invited = document(admin.send("POST", f"{NORTH}/invitations", {"email": "erin@example.org"}))
    services.create_user(username="erin", password=PASSWORD)
    metadata = {"properties": {"pw": "swordfish-4711"}, "sensitive": ["pw"]}
    config = {"compatibility": "NONE", "defaultMetadata": metadata}
    assert admin.send("PUT", "/sr/north/default/config", config).status_code == 200
    schema = {**SCHEMA, "metadata": metadata}
    path = "/sr/north/default/subjects/orders-value/versions"
    assert admin.send("POST", path, schema).status_code == 200
    # People put whole tokens where a key id belongs, and what is refused is recorded with its address.
    astray = Caller(bearer(token_for(bob))).send("GET", f"{NORTH}/tokens/{issued['token']}")
    assert astray.status_code == 403
    secrets = [
        issued["token"],
        rolled["token"],
        invited["token"],
        PASSWORD,
        "swordfish-4711",
        admin.authorization,
    ]
    told = json.dumps([{name: str(value) for name, value in vars(row).items()} for row in rows(alice)])

    assert f"[token {issued['key_id']}]" in told
    for secret in secrets:
        assert str(secret).removeprefix("Bearer ") not in told
