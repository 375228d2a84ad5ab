"""What nothing uses is collected, and nothing else: whatever is uploaded at the same time."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from accord.errors import AccordError
from accord.model import Format, SchemaText, SubjectName
from accord_server.kit import tenancy
from registry import services, tasks
from registry.module_records import UploadSet
from registry.queries.modules import get_module_version
from registry.records import RegisterVersion
from registry.services.collecting import Collected, collect_unused
from registry.services.filing import store_set
from registry.services.module_reading import files_of
from registry.services.uploading import delete_module_version, upload_set
from tests.registry.descriptors.asking import GROWN, PLAIN, TEXTS, Shelf, compiled_set
from tests.registry.test_filing import many
from tests.registry.threads import all_at_once, overtaken

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

PARTS = [{f"part{number}.proto": PLAIN.replace("Item", f"Item{number}")} for number in range(4)]
WRITERS = 6
ROUNDS = 6


def counts() -> list[int]:
    tables = ("descriptorset", "descriptorsetentry", "protofile", "protonote")
    with connection.cursor() as cursor:
        found = []
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM registry_{table}")  # noqa: S608  # tables of ours
            found.append(cursor.fetchone()[0])
        return found


@pytest.mark.django_db
def test_what_a_deleted_version_leaves_is_collected(shelf: Shelf, scope: Scope) -> None:
    shelf.push("shop", TEXTS, notes=True)
    shelf.push("shop", GROWN, notes=True)
    tenancy.activate(scope.tenant.id)
    before = counts()
    assert tasks.collect_files() == 0
    tenancy.activate(scope.tenant.id)
    assert counts() == before
    shelf.call("DELETE", "/modules/shop/versions/2")
    assert tasks.collect_files() == 1
    assert shelf.get("/modules/shop/versions/1/zip").status == 200
    shelf.call("DELETE", "/modules/shop")
    assert tasks.collect_files() == 3
    tenancy.activate(scope.tenant.id)
    assert counts() == [0, 0, 0, 0]


@pytest.mark.django_db
def test_what_a_schema_uses_stays_until_that_is_purged(scope: Scope) -> None:
    subject = SubjectName("item")
    services.register_version(scope, RegisterVersion(subject, SchemaText(Format.PROTOBUF, PLAIN)))
    assert collect_unused(scope) == Collected(0, 0, 0)
    services.soft_delete_subject(scope, subject)
    assert collect_unused(scope) == Collected(0, 0, 0)
    services.purge_subject(scope, subject)
    assert collect_unused(scope) == Collected(1, 1, 0)


@pytest.mark.django_db
def test_many_are_collected_in_several_goes(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.services.collecting.BATCH", 2)
    for file in many(5):
        store_set(scope, [file])
    assert collect_unused(scope) == Collected(5, 5, 0)


@pytest.mark.django_db(transaction=True)
def test_what_an_upload_has_just_taken_is_passed_over(scope: Scope) -> None:
    files = many(3)
    store_set(scope, files)

    def use_again() -> None:
        upload_set(scope, UploadSet("shop", compiled_set(TEXTS)))
        store_set(scope, files)

    with transaction.atomic():
        use_again()
        elsewhere = all_at_once(scope, lambda _: collect_unused(scope), count=1)
    assert elsewhere == [Collected(0, 0, 0)]
    assert collect_unused(scope) == Collected(1, 3, 0)


@pytest.mark.django_db(transaction=True)
def test_an_upload_waits_for_what_is_being_collected_and_stores_it_anew(scope: Scope) -> None:
    files = many(3)
    store_set(scope, files)

    def store_again() -> int:
        with transaction.atomic():
            return store_set(scope, files)

    key = overtaken(scope, lambda: collect_unused(scope), store_again)
    tenancy.activate(scope.tenant.id)
    assert counts() == [1, 3, 3, 0]
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM registry_descriptorset")
        assert cursor.fetchone() == (key,)


@pytest.mark.django_db(transaction=True)
def test_uploads_deletions_and_collections_at_once_lose_nothing(scope: Scope) -> None:
    """Every version that was acknowledged and not deleted can be read whole, whoever collected meanwhile."""

    def act(number: int) -> None:
        chance = random.Random(number)  # no secret
        for _ in range(ROUNDS):
            if number % 3 == 0:
                collect_unused(scope)
                continue
            name = f"module-{number}"
            upload_set(scope, UploadSet(name, compiled_set(chance.choice(PARTS))))
            if chance.random() < 0.5:
                delete_module_version(scope, name, None)

    outcomes = all_at_once(scope, act, count=WRITERS)
    assert [one for one in outcomes if isinstance(one, AccordError)] == []
    tenancy.activate(scope.tenant.id)
    collect_unused(scope)
    for number in range(WRITERS):
        if number % 3:
            upload_set(scope, UploadSet(f"module-{number}", compiled_set(PARTS[0])))
            row = get_module_version(scope, f"module-{number}", "latest")
            assert [one.path for one in files_of(scope, row)] == ["part0.proto"]
    delete = [f"module-{number}" for number in range(WRITERS) if number % 3]
    for name in delete:
        delete_module_version(scope, name, None)
    collect_unused(scope)
    assert counts() == [0, 0, 0, 0]
