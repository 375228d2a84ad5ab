"""Keeping what a search finds: whatever happens, however often and late it is heard of."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accord.discovery.words import Word, WordKind
from accord.errors import SchemaTooLarge
from accord.model import SubjectName
from accord_server.kit import outbox, tenancy
from registry import tasks
from registry.models import FieldEntry, FieldSource
from registry.queries import field_sources
from registry.queries.field_words import keys_of
from registry.services import indexing
from registry.services.events import VERSION_REGISTERED
from tests.registry.client import record
from tests.registry.discovery.asking import Searcher, settle
from tests.registry.threads import interrupted

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tests.cast import Actor
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db
S = SubjectName("s")


def listed(scope: Scope) -> list[str]:
    with tenancy.tenant_context(scope.tenant.id):
        rows = FieldEntry.objects.scoped(scope).order_by("source", "position")
        return [row.path for row in rows]


def index(scope: Scope, subject: SubjectName = S) -> bool:
    with tenancy.tenant_context(scope.tenant.id):
        return indexing.index_subject(scope, subject)


def source(scope: Scope) -> FieldSource:
    with tenancy.tenant_context(scope.tenant.id):
        found: FieldSource = FieldSource.objects.scoped(scope).get()
        return found


def heard(scope: Scope, **more: UUID | None) -> None:
    here = scope.namespace.id if scope.namespace else None
    event = outbox.Event(
        id=1,
        topic=VERSION_REGISTERED,
        tenant_id=scope.tenant.id,
        request_id="",
        payload={"subject": "s"},
        attempt=1,
        namespace_id=more.get("namespace_id", here),
    )
    with tenancy.tenant_context(scope.tenant.id):
        indexing.after_change(event)


def test_the_same_news_twice_changes_nothing(api: Registry, scope: Scope, alice: Actor) -> None:
    api.registered("s", record("a"))
    settle(alice.tenant.id)
    assert listed(scope) == ["s", "a", "R"]
    assert not index(scope)
    assert listed(scope) == ["s", "a", "R"]


def test_old_news_lists_what_is_there_now(api: Registry, scope: Scope) -> None:
    api.registered("s", record("a"))
    api.registered("s", record("a", {"name": "b", "type": "int", "default": 0}))
    heard(scope)
    assert listed(scope) == ["s", "a", "b", "R"]


def test_news_of_no_namespace_and_of_no_subject_are_passed_over(scope: Scope) -> None:
    heard(scope, namespace_id=None)
    assert not index(scope)


def test_a_version_that_comes_meanwhile_is_listed_instead(
    api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.registered("s", record("a"))
    with tenancy.tenant_context(scope.tenant.id):
        told = field_sources.newest_of(scope, S)
    api.registered("s", record("a", {"name": "b", "type": "int", "default": 0}))
    answers = [told]

    def newest(scope: Scope, subject: SubjectName) -> field_sources.Newest | None:
        return answers.pop() if answers else field_sources.newest_of(scope, subject)

    monkeypatch.setattr(indexing, "newest_of", newest)
    assert index(scope)
    assert source(scope).number == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_list_one_subject_never_wait_for_each_other(
    api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is overtaken by a version; the second has added its words and waits for the subject."""
    api.registered("s", record("a"))
    with tenancy.tenant_context(scope.tenant.id):
        told = [field_sources.newest_of(scope, S)]
    api.registered("s", record("a", {"name": "b", "type": "int", "default": 0}))

    def newest(scope: Scope, subject: SubjectName) -> field_sources.Newest | None:
        return told.pop() if told else field_sources.newest_of(scope, subject)

    def work() -> bool:
        with transaction.atomic():
            return index(scope)

    monkeypatch.setattr(indexing, "newest_of", newest)
    interrupted(scope, work, after="registry_subject", by=work)
    assert listed(scope) == ["s", "a", "b", "R"]


def test_a_schema_that_went_meanwhile_has_no_fields(
    api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.registered("s", record("a"))
    monkeypatch.setattr(indexing, "stored_schemas", lambda *_: {})
    assert index(scope)
    assert listed(scope) == []


def test_a_schema_that_cannot_be_listed_is_found_as_a_subject(
    api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_source: object) -> None:
        raise SchemaTooLarge("too deep")

    api.registered("s", record("a"))
    monkeypatch.setattr(indexing, "listing_of", refuse)
    assert index(scope)
    assert listed(scope) == ["s"]


def test_the_owner_is_that_of_the_metadata(api: Registry, scope: Scope, alice: Actor) -> None:
    api.registered("s", record("a"), metadata={"properties": {"owner": "@orders"}})
    settle(alice.tenant.id)
    assert source(scope).owner == "@orders"
    assert Searcher(api.token).paths("a owner:orders") == ["s#a"]


def test_references_are_searched_by(api: Registry, alice: Actor) -> None:
    api.registered("common.Part", record("x", name="Part"))
    reference = {"name": "Part", "subject": "common.Part", "version": 1}
    api.registered("s", record({"name": "p", "type": "Part"}), references=[reference])
    settle(alice.tenant.id)
    assert Searcher(api.token).paths("refs:common.part has:required") == ["s#p"]


def test_fields_of_older_schemas_come_by_and_by(api: Registry, scope: Scope) -> None:
    for name in ("s", "t"):
        api.registered(name, record("a"))
    assert tasks.list_fields() == 2
    assert tasks.list_fields() == 0
    assert listed(scope) == ["s", "a", "R", "t", "a", "R"]


def test_the_command_lists_all_anew(api: Registry, scope: Scope) -> None:
    api.registered("s", record("a"))
    told = StringIO()
    call_command("reindex_fields", stdout=told, stderr=StringIO())
    call_command("reindex_fields", stdout=told, stderr=StringIO())
    call_command("reindex_fields", "--all", stdout=told, stderr=StringIO())
    counts = [line.split()[0] for line in told.getvalue().splitlines()]
    assert counts == ["1", "0", "1"]
    assert listed(scope) == ["s", "a", "R"]


def test_many_fields_cost_as_many_statements_as_few(api: Registry, scope: Scope) -> None:
    counts = []
    for name, width in (("few", 4), ("many", 200)):
        api.registered(name, record(*(f"{name}{at}" for at in range(width))))
        with CaptureQueriesContext(connection) as captured:
            assert index(scope, SubjectName(name))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_known_words_are_not_added_again(api: Registry, scope: Scope) -> None:
    api.registered("s", record("a"))
    index(scope)
    with tenancy.tenant_context(scope.tenant.id), CaptureQueriesContext(connection) as captured:
        keys_of(scope, (Word(WordKind.NAME, "a"),))
    assert len(captured) == 1
