"""Sessions and forms are for pages; machine routes pass by."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path, re_path

from accord_server.kit.paths import is_machine_path


def describe(request: HttpRequest, **_names: str) -> HttpResponse:
    """Say what the middleware gave the view."""
    return HttpResponse(f"{hasattr(request, 'session')} {hasattr(request, 'user')}")


urlpatterns = [path("page", describe), re_path("^(?:sr|api)/", describe), path("healthz", describe)]


@pytest.fixture(autouse=True)
def _urls() -> object:
    with override_settings(ROOT_URLCONF=__name__):
        yield


def test_pages_have_a_session_and_a_visitor() -> None:
    answer = Client().get("/page")
    assert answer.content == b"True True"
    assert "default-src" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("where", ["/sr/north/default/subjects", "/api/v1/tenants", "/healthz"])
def test_machine_routes_have_neither(where: str) -> None:
    answer = Client().get(where)
    assert answer.content == b"False False"
    assert "Content-Security-Policy" not in answer.headers


@override_settings(ROOT_URLCONF="accord_server.urls")
def test_forms_of_pages_need_their_token() -> None:
    assert Client(enforce_csrf_checks=True).post("/sign-in").status_code == 403


def test_machine_routes_take_bodies_without_one() -> None:
    assert Client(enforce_csrf_checks=True).post("/sr/north/default/subjects/a").status_code == 200


@pytest.mark.parametrize(
    ("where", "is_machine"),
    [
        ("/sr/north/default/subjects", True),
        ("/api/v1/openapi.json", True),
        ("/readyz", True),
        ("/subjects", False),
        ("/srx", False),
        ("/t/north/", False),
        ("/", False),
    ],
)
def test_paths_belong_to_machines_or_people(where: str, *, is_machine: bool) -> None:
    assert is_machine_path(where) is is_machine


@pytest.mark.parametrize("where", ["/subjects", "/schemas/ids/1", "/config/a/b", "/mode"])
def test_a_root_namespace_takes_its_paths_from_the_pages(where: str, settings: object) -> None:
    from accord_server.kit.setting_types import NamespaceAddress

    settings.ACCORD_ROOT_NAMESPACE = NamespaceAddress("north", "default")  # type: ignore[attr-defined]  # pytest-django's wrapper
    assert is_machine_path(where)
    assert not is_machine_path("/t/north/")
