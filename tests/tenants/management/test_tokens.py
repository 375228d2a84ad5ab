"""Tokens on the command line: issued with owner and role, listed, revoked."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from accord.model import SubjectName
from accord_server.kit import tenancy
from tenants.authentication import authenticate
from tenants.errors import NamespaceNotFound, Unauthorized
from tenants.principals import operator_scope
from tenants.queries import database_now, principals_of, tokens_of
from tests.cast import Actor, bearer

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import TenantRecord

pytestmark = pytest.mark.django_db

OWNER = ("--owner", "service:orders-producer")
PRODUCER = (*OWNER, "--role", "developer", "--preset", "producer")


def run(command: str, *words: str) -> str:
    output = io.StringIO()
    call_command(command, "north", *words, stdout=output, stderr=io.StringIO())
    return output.getvalue().strip()


def enter(value: str, namespace: str = "default") -> Scope:
    return authenticate(bearer(value), tenant_slug="north", namespace_slug=namespace)


def test_a_new_service_gets_a_role_and_a_token_for_its_subjects(north: TenantRecord) -> None:
    value = run("issue_token", *PRODUCER, "--subjects", "orders-*", "--subjects", "topic:bills")
    scope = enter(value)

    for name in ("orders-value", "bills-key"):
        assert scope.may("subject.write", SubjectName(name))
    assert not scope.may("subject.write", SubjectName("other"))
    assert not scope.may("config.read", SubjectName("orders-value"))
    assert scope.principal.key == "service:orders-producer"


def test_a_token_counts_in_its_namespace_alone(north: TenantRecord, payments: object) -> None:
    value = run("issue_token", *PRODUCER, "--namespace", "payments")

    assert enter(value, "payments").may("subject.read", SubjectName("a"))
    with pytest.raises(NamespaceNotFound):
        enter(value)


def test_a_second_token_of_the_same_owner_needs_no_role(north: TenantRecord) -> None:
    run("issue_token", *PRODUCER)
    scope = enter(run("issue_token", *OWNER, "--right", "subject.read", "--right", "config.write"))

    assert scope.may("subject.read", SubjectName("a"))
    assert not scope.may("config.write", SubjectName("a"))


def test_a_person_is_never_made_up(alice: Actor) -> None:
    value = run("issue_token", "--owner", "person:alice", "--preset", "consumer", "--max-uses", "1")
    assert enter(value).principal.key == "person:alice"
    with pytest.raises(CommandError, match="'person:nobody' not found"):
        run("issue_token", "--owner", "person:nobody", "--role", "viewer", "--preset", "consumer")


@pytest.mark.parametrize(
    ("words", "lifetime"),
    [
        (("--lifetime", "90m"), timedelta(minutes=90)),
        (("--lifetime", "2d"), timedelta(days=2)),
        (("--ci",), timedelta(hours=1)),
    ],
)
def test_a_token_lives_as_long_as_it_is_told(
    north: TenantRecord, words: tuple[str, ...], lifetime: timedelta
) -> None:
    run("issue_token", *PRODUCER, *words)
    tenancy.activate(north.id)
    (record,) = tokens_of(operator_scope(north.ref))
    assert record.expires_at - database_now() == lifetime


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--lifetime", "1y"), "write 30m, 12h or 90d"),
        (("--lifetime", "9999d"), "lives at most"),
        (("--namespace", "nowhere"), "Namespace not found"),
        (("--subjects", ""), "Invalid grant"),
        (("--owner", "operator:me"), "'operator:me' not found"),
        (("--max-uses", "0"), "at least 1"),
        (("--role", "king"), "There is no role 'king'"),
    ],
)
def test_what_cannot_be_issued_is_refused_and_leaves_nothing(
    north: TenantRecord, words: tuple[str, ...], says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        run("issue_token", *PRODUCER, *words)
    tenancy.activate(north.id)
    assert principals_of(operator_scope(north.ref)) == ()


def test_an_unknown_tenant_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="not found"):
        run("list_tokens")


def test_tokens_are_listed_without_their_secret_and_revoked(north: TenantRecord) -> None:
    value = run("issue_token", *PRODUCER, "--name", "the first")
    key_id = value[5:17]
    line = run("list_tokens")
    assert line.startswith(f"{key_id}  active ")
    assert line.endswith("service:orders-producer  the first")
    assert value[17:] not in line

    assert run("revoke_token", key_id) == f"{key_id} of service:orders-producer is revoked"
    assert " revoked " in run("list_tokens")
    with pytest.raises(Unauthorized):
        enter(value)
    with pytest.raises(CommandError, match="'unknown' not found"):
        run("revoke_token", "unknown")
