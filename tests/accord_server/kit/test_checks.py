"""System checks: what an operator can get wrong is named by a stable id, with what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.checks import run_checks
from django.db import connections

from accord_server.kit.setting_types import parse_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import Settings
    from pytest_django.plugin import DjangoDbBlocker

    from tests.servers import Servers

SAME = "the-very-same-secret-0123456789-abcdefgh"

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"ACCORD_SECRET_KEY": ""}, "accord.E001"),
    ({"ACCORD_SECRET_KEY": "short"}, "accord.E001"),
    ({"ACCORD_TOKEN_PEPPER": ""}, "accord.E002"),
    ({"ACCORD_TOKEN_PEPPER": "x" * 64}, "accord.E002"),
    ({"ACCORD_SECRET_KEY": SAME, "ACCORD_TOKEN_PEPPER": SAME}, "accord.E003"),
    (
        {
            "ACCORD_DEBUG": True,
            "ACCORD_PUBLIC_URL": "https://a.example",
            "ACCORD_ALLOWED_HOSTS": ["a.example"],
        },
        "accord.E004",
    ),
    ({"ACCORD_ALLOWED_HOSTS": ["*"], "ACCORD_PUBLIC_URL": "https://a.example"}, "accord.E005"),
    ({"ACCORD_PUBLIC_URL": "https://a.example"}, "accord.E006"),
    (
        {
            "ACCORD_DATABASE_URL": parse_database("postgresql://one@db/accord"),
            "ACCORD_OWNER_DATABASE_URL": parse_database("postgresql://one@db/accord"),
        },
        "accord.E007",
    ),
    ({"ACCORD_METADATA_KEY": "x" * 64}, "accord.E009"),
    ({"ACCORD_METADATA_KEY": SAME, "ACCORD_TOKEN_PEPPER": SAME}, "accord.E010"),
    ({"ACCORD_METADATA_KEY": ""}, "accord.W002"),
    ({"UNKNOWN_VARIABLES": ["ACCORD_DEBGU"]}, "accord.W001"),
]


def ids() -> list[str]:
    return [str(fault.id) for fault in run_checks(tags=["accord"])]


def test_good_settings_pass() -> None:
    assert ids() == []


@pytest.mark.parametrize(("values", "wanted"), FAULTS)
def test_faults_are_named_and_come_with_advice(
    values: dict[str, Any], wanted: str, settings: Settings
) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    faults = run_checks(tags=["accord"])
    assert [fault.id for fault in faults] == [wanted]
    assert faults[0].hint


def test_a_misspelt_variable_is_recognised(settings: Settings) -> None:
    settings.UNKNOWN_VARIABLES = ["ACCORD_DATABSE_URL"]
    (fault,) = run_checks(tags=["accord"])
    assert fault.hint == "Did you mean ACCORD_DATABASE_URL?"


@pytest.mark.parametrize("host", [".example", "a.example", "*"])
def test_the_public_address_may_be_covered_in_three_ways(host: str, settings: Settings) -> None:
    settings.ACCORD_PUBLIC_URL = "https://a.example"
    settings.ACCORD_ALLOWED_HOSTS = [host]
    assert "accord.E006" not in ids()


def role_faults() -> list[str]:
    return [str(fault.id) for fault in run_checks(tags=["accord"], databases=["default"])]


@pytest.mark.django_db
def test_the_application_role_may_serve() -> None:
    assert role_faults() == []


@pytest.mark.parametrize(
    ("url", "words"), [("owner_url", "owns tables"), ("superuser_url", "is a superuser")]
)
def test_other_roles_are_refused(url: str, words: str, as_role: Callable[[str], None]) -> None:
    as_role(url)
    (fault,) = run_checks(tags=["accord"], databases=["default"])
    assert fault.id == "accord.E008"
    assert words in fault.msg


def test_a_database_that_is_away_is_no_fault_yet(as_role: Callable[[str], None]) -> None:
    as_role("nowhere")
    assert role_faults() == []


@pytest.fixture
def as_role(
    servers: Servers, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[[str], None]]:
    """Let the application sign in as another role of the same database."""
    address = connections.settings["default"]
    known = dict(address)

    def sign_in(role: str) -> None:
        url = getattr(servers, role, "postgresql://nobody@127.0.0.1:1/nothing")
        parsed = parse_database(url)
        values = {"USER": parsed.user, "PASSWORD": parsed.password, "PORT": parsed.port}
        connections["default"].close()
        address.update(values)

    with django_db_blocker.unblock():
        yield sign_in
        connections["default"].close()
        address.update(known)
