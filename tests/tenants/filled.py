"""A tenant with a row in every table that holds rows of tenants, and the tables as their owner sees them."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
from django.apps import apps
from django.db import connections
from django.utils import timezone

from accord.formats.protobuf.descriptors import FileDescriptorProto
from accord.formats.protobuf.filing import filed
from accord.model import Format, SchemaText, SubjectName
from accord_server.kit import tenancy
from accord_server.kit.kept_answers import Answer, Asker, answer_once, question
from accord_server.kit.models import Delivery, Outbox, TenantOwned
from registry import services
from registry.dry_run_records import StartDryRun
from registry.import_records import Refusal, StartImport, VersionKey
from registry.life_records import ChangeState, Describe
from registry.models import DryRun, ExportPart, ModuleVersion, WebhookAttempt, WebhookMessage
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText
from registry.queries.modules import lock_or_add_module
from registry.records import CheckCandidate
from registry.services.bindings import bind_policy
from registry.services.comments import add_comment
from registry.services.deletion_rules import set_deletion_rules
from registry.services.describing import describe
from registry.services.dry_runs import run_dry_run, start_dry_run
from registry.services.filing import store_set
from registry.services.imports import import_versions, start_import
from registry.services.indexing import index_subject
from registry.services.module_states import change_module_state
from registry.services.policies import create_policy
from registry.services.tenant_exports import start_export
from registry.services.version_states import change_state
from registry.services.waivers import give_waiver
from registry.services.webhooks import create_webhook, try_webhook
from registry.version_states import VersionState
from registry.waiver_records import GiveWaiver
from registry.webhook_records import WebhookDetails
from tenants.models import AuditAnchor, Tenant
from tenants.services import allow_anonymous, create_role, create_service_account
from tenants.services.audit_sealing import seal_part
from tenants.services.invitations import Invite, invite
from tenants.services.quotas import fold_tenant, note_tenant, set_limits
from tests.cast import issued_for
from tests.registry.client import record
from tests.registry.texts import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tests.cast import Actor

# Taken from the models: one that is added tomorrow and not filled below fails a test.
OWNED = [model for model in apps.get_models() if issubclass(model, TenantOwned)]
# The column that says whose a row is, by table.
OWNER_COLUMNS = {Tenant._meta.db_table: "id"} | {model._meta.db_table: "tenant_id" for model in OWNED}


def fill(actor: Actor, scope: Scope) -> None:
    """Leave at least one row of the actor's tenant in every table."""
    tenancy.activate(actor.tenant.id)
    issued_for(actor)
    create_service_account(scope, slug="robot")
    create_role(scope, name="reader", rights=frozenset({"subject.read"}))
    invite(scope, command=Invite(email="dora@example.org"))
    asker = Asker(scope.principal.key, scope)
    answer_once(question(asker, "key", "POST", "/", {}), lambda: Answer(201, {}, {}), lambda body: body)
    create_policy(scope, PolicyText("name: ours"))
    fill_namespace(scope)
    export = start_export(scope)
    ExportPart.objects.insert(scope, export_id=export.key, number=0, data=b"PK")
    _use_some(scope)
    seal_part(scope, limit=2)
    AuditAnchor.objects.insert(scope, month=date(2020, 2, 1), records=0, seal=1, digest=bytes(32))


def fill_namespace(scope: Scope) -> None:
    """Leave at least one row of the namespace in every table that has rows of namespaces."""
    tenancy.activate(scope.tenant.id)
    allow_anonymous(scope, access="read", subjects=["*"])
    register(scope, "part", record("x", name="Part"))
    register(scope, "s", record({"name": "p", "type": "Part"}, "y", "z"), ("Part", "part", 1))
    index_subject(scope, SubjectName("s"))
    owned = {"properties": {"owner": "us"}}
    services.change_config(scope, SubjectName("s"), {"compatibilityLevel": "FULL"})
    services.change_config(scope, SubjectName("loose"), {"defaultMetadata": owned})
    services.change_mode(scope, SubjectName("s"), "READWRITE")
    text = SchemaText(Format.AVRO, json.dumps(record("x", name="Part")))
    bind_policy(scope, PolicyPlace(scope.namespace, SubjectName("s")), BindPolicy("ours"))
    services.request_check(scope, CheckCandidate(SubjectName("part"), text))
    _lead_a_life(scope, SubjectName("part"))
    _try_and_waive(scope, SubjectName("loose"))
    keep_module(scope, "module")
    change_module_state(scope, "module", ChangeState(1, VersionState.DEPRECATED, "replaced"))
    _import_in_vain(scope)
    webhook, _ = create_webhook(scope, WebhookDetails(url="https://hooks.example.org/"))
    try_webhook(scope, webhook.id)
    message = WebhookMessage.objects.scoped(scope).latest("id")
    WebhookAttempt.objects.insert(scope, message=message, number=1, status=500)
    effect = Outbox.objects.scoped(scope).filter(namespace_id=scope.namespace.id).latest("id")  # type: ignore[union-attr]  # it is about one
    Delivery.objects.insert(scope, outbox_id=effect.pk, attempt=1, is_success=False, error="none")


def keep_module(scope: Scope, name: str) -> None:
    """Leave a module with a version of one file that has notes."""
    key, _ = lock_or_add_module(scope, name)
    set_key = store_set(scope, [filed(FileDescriptorProto(name="a.proto"), text="// a")])
    ModuleVersion.objects.insert(scope, module_id=key, number=1, set_id=set_key, created_by="x", level="FULL")


def _try_and_waive(scope: Scope, subject: SubjectName) -> None:
    """Leave a dry run that found something, and a waiver."""
    services.change_config(scope, subject, {"compatibilityLevel": "NONE"})
    for name in ("a", "b"):
        register(scope, subject.name, record(name))
    run = start_dry_run(scope, StartDryRun(level="FULL"))
    run_dry_run(scope, DryRun.objects.scoped(scope).values_list("pk", flat=True).get(public_id=run.id))
    services.change_config(scope, subject, {"compatibilityLevel": "FULL"})
    text = SchemaText(Format.AVRO, json.dumps(record("c")))
    give_waiver(scope, GiveWaiver(subject, text, "agreed", timezone.now() + timedelta(days=1)))


def _lead_a_life(scope: Scope, subject: SubjectName) -> None:
    """Leave a change of state, a comment, a description, and a switch of deletions."""
    change_state(scope, subject, ChangeState(1, VersionState.DEPRECATED, "replaced"))
    add_comment(scope, subject, 1, "why?")
    describe(scope, subject, Describe("Parts of orders"))
    set_deletion_rules(scope, forbids_soft=False, forbids_permanent=True, expected=None)


def _import_in_vain(scope: Scope) -> None:
    """Leave an import that was refused something."""
    run = start_import(scope, StartImport("elsewhere"))
    key = VersionKey(SubjectName("nowhere"), 1)
    import_versions(scope, run.id, [], [Refusal(key, "invalid_schema", "unreadable")])


def _use_some(scope: Scope) -> None:
    """Leave limits, totals, a day of use, and something that is not folded yet."""
    set_limits(scope, wanted={"tokens": 500}, expected=None)
    fold_tenant(scope)
    note_tenant(scope)
    register(scope, "later", record("x", name="Later"))


class Owner:
    """The role that owns the tables, which row-level security does not bind."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def count(self, table: str, tenant: UUID) -> int:
        """Count the rows of a tenant."""
        return int(self._one(f'SELECT count(*) FROM "{table}" WHERE {OWNER_COLUMNS[table]} = %s', tenant))  # noqa: S608  # our own table names

    def row(self, table: str, tenant: UUID) -> str:
        """Return one row of a tenant, as JSON."""
        return str(
            self._one(f'SELECT to_jsonb(t)::text FROM "{table}" t WHERE {OWNER_COLUMNS[table]} = %s', tenant)  # noqa: S608  # as above
        )

    def number(self, statement: str, value: object) -> int:
        """Return the one number that a question has for an answer."""
        return int(self._one(statement, value))

    def execute(self, statement: str, *values: object) -> None:
        """Run a statement."""
        self._connection.execute(statement.encode(), values)

    def _one(self, statement: str, value: object) -> Any:
        found = self._connection.execute(statement.encode(), [value]).fetchone()
        assert found is not None
        return found[0]


def owner_address() -> dict[str, Any]:
    """Where and as whom the owner connects."""
    settings = connections.settings["owner"]
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    return {name: settings[known] for name, known in names.items()}


def owner() -> Iterator[Owner]:
    """Connect as the owner; only what is committed is seen."""
    with psycopg.connect(**owner_address(), autocommit=True) as connection:
        yield Owner(connection)


def but_for(holds: Callable[[str], bool]) -> list[str]:
    """Name the tables for which it does not hold."""
    return [table for table in sorted(OWNER_COLUMNS) if not holds(table)]
