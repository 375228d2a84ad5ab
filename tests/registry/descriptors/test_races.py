"""Uploads at the same time: every one has its number, and is judged by what is there when it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.errors import AccordError
from accord.model import SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.errors import TooMuchContention
from registry.module_errors import IncompatibleModule
from registry.module_records import UploadedVersion, UploadSet
from registry.queries.modules import module_versions
from registry.services.uploading import upload_set
from tests.registry.descriptors.asking import GROWN, ORDER, TEXTS, compiled_set
from tests.registry.threads import all_at_once, overtaken

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 4


def upload(scope: Scope, field: str) -> UploadedVersion:
    texts = {**TEXTS, "order.proto": ORDER % field}
    return upload_set(scope, UploadSet("shop", compiled_set(texts)))


def test_uploads_at_once_are_all_stored_in_some_order(scope: Scope) -> None:
    services.change_config(scope, SubjectName("shop"), {"compatibilityLevel": "NONE"})
    made = all_at_once(scope, lambda number: upload(scope, f"string s{number} = {number + 4};"), WRITERS)
    assert [one for one in made if isinstance(one, AccordError)] == []
    tenancy.activate(scope.tenant.id)
    assert [one.number for one in module_versions(scope, "shop")] == list(range(1, WRITERS + 1))


def test_equal_uploads_at_once_are_one_version(scope: Scope) -> None:
    made = all_at_once(scope, lambda _: upload(scope, ""), WRITERS)
    found = {one.version.number for one in made if isinstance(one, UploadedVersion)}
    assert (found, sum(one.is_new for one in made if isinstance(one, UploadedVersion))) == ({1}, 1)


def test_who_was_overtaken_is_judged_anew(scope: Scope) -> None:
    upload(scope, "")

    def then() -> object:
        try:
            return upload(scope, "int32 note = 4;")
        except AccordError as error:
            return error

    refused = overtaken(scope, lambda: upload_set(scope, UploadSet("shop", compiled_set(GROWN))), then)
    assert isinstance(refused, IncompatibleModule)


def test_who_is_overtaken_all_the_time_gives_up(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.services.uploading._store", lambda *_: None)
    with pytest.raises(TooMuchContention):
        upload(scope, "")
