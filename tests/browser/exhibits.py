"""What the browser looks at: a subject with a history, many subjects, hostile names, empty places."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from accord.contracts.reading import read_metadata, read_rule_set
from accord.formats.protobuf import service
from accord.model import Contract, Format, Reference, SchemaText
from accord.naming import parse_subject
from accord.policy.documents.templates import template_text
from registry.dry_run_records import StartDryRun
from registry.import_records import ImportedVersion, ImportResult, StartImport
from registry.models import DryRun, DryRunState, ImportRun
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.records import RegisterVersion
from registry.services import soft_delete_version
from registry.services.bindings import bind_policy
from registry.services.configuration import change_config
from registry.services.demo_modules import seed_modules
from registry.services.dry_runs import run_dry_run, start_dry_run
from registry.services.imports import finish_import, import_versions, start_import
from registry.services.indexing import reindex
from registry.services.policies import create_policy, replace_policy
from registry.services.registration import register_version
from tenants import services
from tenants.grants import parse_grants
from tenants.models import Token, UsageDay
from tenants.principals import operator_scope
from tenants.queries import scope_for_user, tenant_of
from tenants.services import token_life
from tenants.services.quotas import set_limits
from tests import factories
from tests.accord.protobuf_texts import COMPILER
from tests.frontend.schemas import ORDERS, REFUSED, TIER_TEXT, field, record

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

SUBJECT: Final = "/t/north/ns/default/s/orders-value/-/"
FLEET: Final = "/t/north/ns/default/s/telemetry.fleet-value/-/versions"
POLICIES: Final = "/t/north/policies/"
RUN, FAILED_RUN, IMPORTED = UUID(int=1), UUID(int=2), UUID(int=3)
GOVERNED: Final = "/t/north/ns/default/s/telemetry.governed-value/-/"
MODULES: Final = "/t/north/ns/default/modules/"
TOKENS: Final = "/t/north/tokens/"
TOKEN: Final = "exhibit00000"
POLICY: Final = "name: telemetry-house\ndefault: {preset: confluent, also_warns: accord:queue-safe}\n"
SHIPMENTS: Final = """syntax = "proto3";
package com.example.logistics;

message Shipment {
  reserved 3, 8 to 10;
  reserved "carrier_code";
  int64 id = 1;
  map<string, Parcel> parcels_by_number = 2;
  optional string note = 4;
  oneof destination {
    Address address = 5;
    string locker = 6;
  }
  State state = 7;
  message Parcel {
    repeated string tags = 1;
    uint32 weight_in_grams = 2;
  }
}
message Address {
  string street = 1;
  string city = 2;
}
enum State {
  STATE_UNSPECIFIED = 0;
  STATE_SENT = 1;
}
service Shipments {
  rpc Follow(Address) returns (stream Shipment);
}
"""
PAYMENTS: Final = """{"type": "object", "additionalProperties": false, "properties": {
  "payer": {"type": "object", "properties": {"name": {"type": "string"}}},
  "labels": {"type": "object", "additionalProperties": {"type": "string"}}
}}"""
PAYMENTS_CONTRACT: Final = Contract(
    read_metadata(
        {
            "tags": {"**.name": ["PII"]},
            "properties": {"owner": "payments", "confluent:version": "1", "vault": "swordfish"},
            "sensitive": ["vault"],
        }
    ),
    read_rule_set(
        {
            "domainRules": [
                {
                    "name": "payer-known",
                    "doc": "Nobody pays without a name",
                    "kind": "CONDITION",
                    "type": "CEL",
                    "expr": "message.payer.name != ''",
                    "tags": ["PII"],
                },
                {"name": "hide-names", "type": "ENCRYPT", "tags": ["PII"], "disabled": True},
            ]
        }
    ),
)
# Nobody, the cast, and Dora, who administers *east*.
VISITORS: Final = ("", "alice", "bob", "carol", "mallory", "dora")
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
    "deleted": ("alice", "/t/north/ns/default/deleted"),
    "deleted-none": ("carol", "/t/north/ns/payments/deleted"),
    "search": ("bob", "/t/north/search?q=name+ns:default"),
    "search-none": ("bob", "/t/north/search?q=nothinglikeit+type:int"),
    "search-how": ("bob", "/t/north/search"),
    "fields": ("bob", "/t/north/fields/"),
    "field": ("bob", "/t/north/fields/id"),
    "register": ("alice", "/t/north/ns/default/register"),
    "register-next": (
        "bob",
        "/t/north/ns/default/register?subject=members-value&format=AVRO&from=latest",
    ),
    "definition": ("bob", SUBJECT),
    "definition-old": ("bob", SUBJECT + "?v=1"),
    "definition-reference": ("bob", "/t/north/ns/default/s/members-value/-/"),
    "definition-protobuf": ("bob", "/t/north/ns/default/s/shipments-value/-/"),
    "definition-json": ("bob", "/t/north/ns/default/s/payments-value/-/"),
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
    "diff-refused": ("bob", "/t/north/ns/default/s/invoices-value/-/diff"),
    "references": ("bob", "/t/north/ns/default/s/tiers-value/-/references"),
    "references-out": ("bob", "/t/north/ns/default/s/members-value/-/references"),
    "matrix": ("bob", SUBJECT + "matrix?from=3&to=2&level=FULL"),
    "matrix-lone": ("bob", "/t/north/ns/default/s/members-value/-/matrix"),
    "subject-policy": ("alice", SUBJECT + "policy"),
    "namespace-policy": ("bob", "/t/north/ns/default/policy?format=JSON"),
    "policies": ("alice", POLICIES),
    "policies-none": ("dora", "/t/east/policies/"),
    "policy": ("alice", POLICIES + "orders-care/"),
    "policy-old": ("bob", POLICIES + "orders-care/?v=1"),
    "policy-history": ("alice", POLICIES + "orders-care/history"),
    "policy-diff": ("bob", POLICIES + "orders-care/diff"),
    "policy-revert": ("alice", POLICIES + "orders-care/revert?to=1"),
    "policy-new": ("alice", POLICIES + "-/new?template=drop-in"),
    "policy-edit": ("alice", POLICIES + "orders-care/edit"),
    "policy-bind": ("alice", POLICIES + "-/bind?reach=prefix&namespace=default&name=orders-"),
    "policy-unbind": ("alice", POLICIES + "-/unbind?reach=prefix&namespace=default&name=orders-"),
    "dry-run": ("alice", f"/t/north/ns/default/dry-runs/{RUN}"),
    "dry-run-failed": ("alice", f"/t/north/ns/default/dry-runs/{FAILED_RUN}"),
    "imports": ("alice", "/t/north/ns/default/imports/"),
    "imports-none": ("alice", "/t/north/ns/payments/imports/"),
    "import": ("alice", f"/t/north/ns/default/imports/{IMPORTED}"),
    "modules": ("bob", MODULES),
    "modules-none": ("carol", "/t/north/ns/payments/modules/"),
    "module": ("bob", MODULES + "shop.orders/"),
    "module-services": ("bob", MODULES + "shop.orders/?show=services&imports=1"),
    "module-file": ("bob", MODULES + "shop.orders/file?path=shop%2Forders%2Fv1%2Forder.proto"),
    "module-versions": ("bob", MODULES + "shop.orders/versions"),
    "module-diff": ("bob", MODULES + "shop.orders/diff?file=shop%2Forders%2Fv1%2Forder.proto"),
    "tokens": ("alice", TOKENS),
    "tokens-none": ("dora", "/t/east/tokens/"),
    "token-new": ("alice", TOKENS + "-/new?preset=own&ns=default"),
    "token": ("alice", TOKENS + TOKEN),
    "members": ("alice", "/t/north/members/"),
    "member": ("alice", "/t/north/members/person:carol"),
    "roles": ("alice", "/t/north/roles/"),
    "role": ("alice", "/t/north/roles/viewer"),
    "role-new": ("alice", "/t/north/roles/-/new"),
    "access": ("alice", "/t/north/access?action=subject.write&object=payments/orders-value"),
    "usage": ("alice", "/t/north/usage/?of=stored_bytes"),
    "jobs": ("alice", "/t/north/jobs/"),
    "policy-denied": ("bob", POLICIES + "orders-care/edit"),
    "history": ("bob", SUBJECT + "history"),
    "lint": ("bob", SUBJECT + "lint"),
    "lint-policies": ("bob", GOVERNED + "lint"),
    "history-past-end": ("bob", SUBJECT + "history?page=9"),
    "history-policies": ("bob", GOVERNED + "history"),
    "api-reference": ("", "/api/docs?q=tokens"),
    "api-operation": ("", "/api/docs/post-tokens"),
    "rules": ("", "/rules/"),
    "rule": ("", "/rules/READER_FIELD_MISSING_DEFAULT_VALUE"),
    "not-found": ("mallory", "/t/north/"),
}
# A policy with all that one can say, and more problems than one if a line is lost.
CARE: Final = """name: orders-care
description: Orders are read by everybody, so nothing that reads them may break.
# Ask the orders team before you weaken it.
default:
  preset: accord:queue-safe
  level: FULL
  locked: true
  limits: {bytes: 100000, fields: 400}
  naming: {subjects: "[a-z]+(-[a-z]+)*", severity: warn}
  required: {docs: [record], severity: warn}
  rules:
    TYPE_MISMATCH: warn
    NAME_MISMATCH: {judged_as: TYPE_MISMATCH}
"""


def fill() -> dict[str, User]:
    """Make the cast and what they look at; return their accounts by name."""
    north, south = factories.make_tenant("north"), factories.make_tenant("south")
    for slug in ("payments", "staging"):
        factories.make_namespace(north, slug)
    factories.make_person(north, "alice", role="admin")
    factories.make_person(north, "bob", role="viewer")
    factories.make_person(north, "carol", role="developer", namespace="payments")
    factories.make_person(south, "mallory", role="admin")
    factories.make_person(factories.make_tenant("east"), "dora", role="admin")
    users = {user.username: user for user in User.objects.all()}
    scope = scope_for_user(users["alice"], "north", "default")
    register_exhibits(scope)
    seed_modules(scope)
    write_policies(scope)
    try_policy(scope)
    import_something(scope)
    issue_tokens(scope)
    use_quotas(scope)
    reindex(scope.tenant.id)
    return users


def use_quotas(scope: Scope) -> None:
    """Have one limit nearly met, another one met, and some weeks of use behind."""
    operator = operator_scope(scope.tenant)
    set_limits(operator, wanted={"tokens": 4, "namespaces": 3}, expected=None)
    today = timezone.now().date()
    UsageDay.objects.scoped(scope).bulk_create(
        UsageDay(
            tenant_id=scope.tenant.id,
            day=today - timedelta(days=ago),
            resource="stored_bytes",
            used=1_000_000 - ago * ago * 900,
        )
        for ago in range(30)
    )


def issue_tokens(scope: Scope) -> None:
    """Issue tokens of each kind, one under a key id that is known beforehand."""
    tenant = replace(scope, namespace=None)
    factories.make_account(tenant_of(scope), "orders-service", role="developer")
    grants = parse_grants(
        [
            {"subjects": ["orders-*", "topic:payments"], "actions": ["subject.read", "subject.write"]},
            {"actions": ["subject.purge", "tenant.read"]},
        ]
    )
    for name in ("nightly-check", "orders", "a name that is " + "long " * 30):
        made = factories.make_token(tenant, "service:orders-service", name=name, grants=grants)
        services.suspend_token(tenant, key_id=made.record.key_id)
    made = factories.make_token(tenant, "person:alice", name="laptop", grants=grants, description="At home")
    token_life.roll_token(tenant, key_id=made.record.key_id)
    Token.objects.scoped(scope).filter(key_id=made.record.key_id).update(key_id=TOKEN)


def import_something(scope: Scope) -> None:
    """Have an import done under an id that is known beforehand, of which something was refused."""
    run = start_import(scope, StartImport("https://old.example.com", {"register": 3, "delete": 0}))
    schema = SchemaText(Format.AVRO, '"int"')
    lines = [
        ImportedVersion(
            RegisterVersion(parse_subject(name), schema, number=1, schema_id=9), 9, is_deleted=False
        )
        for name in ("orders-value", "a-name-that-is-" + "long-" * 30)
    ]
    import_versions(scope, run.id, lines)
    finish_import(scope, run.id, ImportResult("0" * 64, "1" * 64, 2))
    ImportRun.objects.scoped(scope).filter(public_id=run.id).update(public_id=IMPORTED)


def try_policy(scope: Scope) -> None:
    """Do a dry run at once, under an id that is known beforehand, and have another one failed."""
    told = {"state": DryRunState.FAILED, "result": {"message": "The schema of version 3 cannot be read."}}
    for level, changed in (
        ("FULL_TRANSITIVE", {"public_id": RUN}),
        ("FORWARD", {"public_id": FAILED_RUN, **told}),
    ):
        text = PolicyText(f"name: tried\ndefault: {{level: {level}}}\n")
        started = start_dry_run(scope, StartDryRun(text=text))
        run = DryRun.objects.scoped(scope).filter(public_id=started.id)
        run_dry_run(scope, run.get().pk)
        run.update(**changed)


def write_policies(scope: Scope) -> None:
    """Write and bind policies in Alice's name: a wide one, a near one with a history, long words."""
    text = template_text("drop-in")
    create_policy(scope, PolicyText(text, reason="What our clients have always had"))
    create_policy(scope, PolicyText(CARE, reason="Orders are read by everybody"))
    stricter = CARE.replace("level: FULL", "level: FULL_TRANSITIVE").replace("# ", "# For good. ")
    replace_policy(scope, "orders-care", PolicyText(stricter, reason="word " * 99), expected=1)
    create_policy(scope, PolicyText(f"name: {'a' * 40}\ndescription: {'long ' * 300}\n"))
    bind_policy(scope, PolicyPlace(scope.namespace), BindPolicy("drop-in"))
    bind_policy(
        scope,
        PolicyPlace(scope.namespace, parse_subject("orders-"), is_prefix=True),
        BindPolicy("orders-care"),
    )
    for name in ("invoices-value", "x" * 200, "members-value", "tiers-value"):
        bind_policy(scope, PolicyPlace(scope.namespace, parse_subject(name)), BindPolicy("orders-care"))


def register_exhibits(scope: Scope) -> None:
    """Register everything in Alice's name."""
    service.use(COMPILER)
    shipments = RegisterVersion(parse_subject("shipments-value"), SchemaText(Format.PROTOBUF, SHIPMENTS))
    register_version(scope, shipments)
    payments = RegisterVersion(
        parse_subject("payments-value"), SchemaText(Format.JSON, PAYMENTS), contract=PAYMENTS_CONTRACT
    )
    register_version(scope, payments)

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
    change_config(scope, parse_subject("invoices-value"), {"compatibilityLevel": "NONE"})
    for text in REFUSED:
        put("invoices-value", text)
    for number in range(60):
        put("telemetry.fleet-value", record(field("at", "long", doc=f"Edition {number}"), name="Fleet"))
    for number in range(50):
        put(f"telemetry.device-{number:02}-value", record(field("at", "long"), name="Device"))
    register_governed(scope)


def register_governed(scope: Scope) -> None:
    """Register under a policy that warns: a first version, one with findings, one that was deleted."""
    name = parse_subject("telemetry.governed-value")
    create_policy(scope, PolicyText(POLICY))
    bind_policy(scope, PolicyPlace(scope.namespace, name), BindPolicy("telemetry-house"))
    for kind in ("int", "long", "double"):
        schema = SchemaText(Format.AVRO, record(field("value", kind)))
        register_version(scope, RegisterVersion(subject=name, schema=schema))
    soft_delete_version(scope, name, 2)
