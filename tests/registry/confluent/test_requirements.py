"""Requirements of clients that cannot be seen from outside: R12 of crashes, R16's switch, R21 of cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.handlers.wsgi import WSGIHandler

from accord_server.kit.hot_path import HotPath
from tests.registry.client import PROBE, V1, record
from tests.registry.confluent.test_hot_reads import answer, environ_of, statements

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.registry.client import Registry

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.mark.django_db
def test_r12_a_crash_is_json_with_a_code(api: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.queries.list_subjects", None)
    monkeypatch.setattr("django.test.client.Client.store_exc_info", lambda *_, **__: None)
    crashed = api.get("/subjects")
    assert crashed.error == (500, 500)
    assert crashed.headers["Content-Type"] == V1


@pytest.mark.django_db
def test_r16_avro_can_be_named_to_everybody(api: Registry, settings: Settings) -> None:
    number = api.registered("s", PROBE)
    paths = ("/subjects/s/versions/latest", f"/schemas/ids/{number}")
    assert ["schemaType" in api.ok("GET", path) for path in paths] == [False, False]
    settings.ACCORD_NAME_AVRO = True
    assert [api.ok("GET", path)["schemaType"] for path in paths] == ["AVRO", "AVRO"]
    assert "guid" not in api.ok("GET", paths[0])


@COMMITS
def test_r21_an_id_that_is_not_there_costs_no_more_than_one_that_is(api: Registry) -> None:
    gone, kept = api.registered("s", PROBE), api.registered("t", record("a"))
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    beyond = kept + 1

    def cost(application: object, number: int, status: str) -> int:
        asked = environ_of(f"/schemas/ids/{number}", api.token)
        assert answer(application, asked)[0].startswith(status)
        return min(statements(lambda: answer(application, asked)) for _ in range(5))

    hot, django = HotPath(WSGIHandler()), WSGIHandler()
    assert (cost(hot, kept, "200"), cost(hot, gone, "404")) == (0, 0)
    assert cost(django, beyond, "404") == cost(django, kept, "200")
