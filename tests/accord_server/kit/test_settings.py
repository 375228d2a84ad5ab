"""The settings table: loud parsing, secrets from files, one truth for code and docs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from accord_server import settings as module
from accord_server.kit import settings_reference
from accord_server.kit import settings_table as table
from accord_server.kit.configuration import configured
from accord_server.kit.environment import PREFIX, Environment, SettingsError
from accord_server.kit.setting_types import DatabaseAddress, MailServer, NamespaceAddress

if TYPE_CHECKING:
    from accord_server.kit.settings_table import Setting

PEPPER = "0123456789-abcdefghijklmnopqrstu"
REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


CORP = {
    "slug": "corp",
    "name": "Corp",
    "issuer": "https://id.corp.example/",
    "client_id": "accord",
    "client_secret": "hidden",
    "domains": ["Corp.example"],
}


def read(setting: Setting[Any], text: str) -> Any:  # whatever the type of the setting is
    return Environment({setting.name: text})(setting)


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (table.DEBUG, "yes", True),
        (table.DEBUG, "0", False),
        (table.ALLOWED_HOSTS, " a.example , b.example,", ["a.example", "b.example"]),
        (table.BODY_LIMIT, "65536", 65536),
        (table.PUBLIC_URL, "https://registry.example/", "https://registry.example"),
        (table.ROOT_NAMESPACE, "north/default", NamespaceAddress("north", "default")),
        (table.ROOT_NAMESPACE, "", None),
        (table.BASE_DOMAIN, "", ""),
        (table.BASE_DOMAIN, "SR.Example.org.", "sr.example.org"),
        (table.BASE_DOMAIN, "localhost", "localhost"),
        (table.LOG_FORMAT, "text", "text"),
        (table.TOKEN_PEPPER, f"{PEPPER},{PEPPER}", f"{PEPPER},{PEPPER}"),
        (table.OWNER_DATABASE_URL, "", DatabaseAddress()),
    ],
)
def test_values_are_read(setting: Setting[Any], text: str, value: object) -> None:
    assert read(setting, text) == value


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("", MailServer()),
        ("smtp://mail.example", MailServer("mail.example", 587, starts_tls=True)),
        ("smtp://localhost:25?tls=never", MailServer("localhost", 25)),
        ("smtps://me:p%40ss@mail.example", MailServer("mail.example", 465, "me", "p@ss", is_tls=True)),
    ],
)
def test_a_mail_server_is_taken_apart(text: str, server: MailServer) -> None:
    assert Environment({table.EMAIL_URL.name: text})(table.EMAIL_URL) == server


def test_providers_are_taken_apart() -> None:
    (corp,) = Environment({table.OIDC_PROVIDERS.name: json.dumps([CORP])})(table.OIDC_PROVIDERS)
    assert (corp.slug, corp.domains) == ("corp", ("corp.example",))
    assert corp.app()["provider_id"] == "corp"
    assert "hidden" not in repr(corp)


def test_a_database_url_is_taken_apart() -> None:
    address = read(table.DATABASE_URL, "postgresql://app:p%40ss@db.example:5433/accord?sslmode=require")
    options = (("sslmode", "require"),)
    assert address == DatabaseAddress("accord", "app", "p@ss", "db.example", "5433", options)


def test_a_database_url_may_name_a_folder_of_sockets() -> None:
    assert read(table.DATABASE_URL, "postgresql://app@/accord?host=/run/postgres").host == "/run/postgres"


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        (table.DEBUG, "True"),
        (table.DEBUG, "ja"),
        (table.DEBUG, ""),
        (table.BODY_LIMIT, "10 MB"),
        (table.BODY_LIMIT, "1"),
        (table.BODY_LIMIT, "-65536"),
        (table.BODY_LIMIT, "٧٠٠٠٠"),
        (table.PUBLIC_URL, "registry.example"),
        (table.PUBLIC_URL, "ftp://registry.example"),
        (table.PUBLIC_URL, "http://["),
        (table.REDIS_URL, "http://localhost"),
        (table.ROOT_NAMESPACE, "north"),
        (table.ROOT_NAMESPACE, "North/default"),
        (table.OIDC_PROVIDERS, "{"),
        (table.OIDC_PROVIDERS, "{}"),
        (table.OIDC_PROVIDERS, "[1]"),
        (table.OIDC_PROVIDERS, '[{"slug": "corp"}]'),
        (table.OIDC_PROVIDERS, json.dumps([{**CORP, "secret": "x"}])),
        (table.OIDC_PROVIDERS, json.dumps([{**CORP, "domains": "corp.example"}])),
        (table.OIDC_PROVIDERS, json.dumps([{**CORP, "name": 1}])),
        (table.OIDC_PROVIDERS, json.dumps([{**CORP, "slug": "C"}])),
        (table.OIDC_PROVIDERS, json.dumps([{**CORP, "issuer": "http://id.corp.example"}])),
        (table.OIDC_PROVIDERS, json.dumps([CORP, CORP])),
        (table.EMAIL_URL, "mail.example.org"),
        (table.EMAIL_URL, "http://mail.example.org"),
        (table.EMAIL_URL, "smtp://mail.example.org:many"),
        (table.EMAIL_URL, "smtp://[mail"),
        (table.EMAIL_URL, "smtp://mail.example.org/path"),
        (table.EMAIL_URL, "smtp://mail.example.org?tls=maybe"),
        (table.BASE_DOMAIN, ".example.org"),
        (table.BASE_DOMAIN, "*.example.org"),
        (table.BASE_DOMAIN, "https://example.org"),
        (table.BASE_DOMAIN, "example.org:443"),
        (table.BASE_DOMAIN, f"{'a.' * 100}org"),
        (table.LOG_LEVEL, "info"),
        (table.TOKEN_PEPPER, PEPPER[1:]),
        (table.TOKEN_PEPPER, f"{PEPPER},"),
        (table.TOKEN_PEPPER, f",{PEPPER}"),
        (table.TOKEN_PEPPER, f"{PEPPER},short"),
        (table.DATABASE_URL, "mysql://app@localhost/accord"),
        (table.DATABASE_URL, "postgresql://app@localhost:port:port/accord"),
    ],
)
def test_values_that_cannot_be_used_are_refused_by_name(setting: Setting[Any], text: str) -> None:
    with pytest.raises(SettingsError, match=setting.name):
        read(setting, text)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as refusal:
        Environment({"ACCORD_DEBUG": "maybe", "ACCORD_LOG_LEVEL": "loud"})
    assert "ACCORD_DEBUG: must be one of" in str(refusal.value)
    assert "ACCORD_LOG_LEVEL: must be one of" in str(refusal.value)


def test_a_refusal_does_not_repeat_the_secret() -> None:
    with pytest.raises(SettingsError) as refusal:
        read(table.DATABASE_URL, "postgresql://app:hunter2@localhost:x:y/accord")
    assert "hunter2" not in str(refusal.value)


def test_a_secret_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pepper"
    file.write_text(f"{PEPPER}\n")
    assert Environment({"ACCORD_TOKEN_PEPPER_FILE": str(file)})(table.TOKEN_PEPPER) == PEPPER


def test_a_value_is_given_once(tmp_path: Path) -> None:
    file = tmp_path / "pepper"
    file.write_text("one")
    with pytest.raises(SettingsError, match="given twice"):
        Environment({"ACCORD_TOKEN_PEPPER_FILE": str(file), "ACCORD_TOKEN_PEPPER": "two"})


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"x" * 70_000])
def test_a_file_that_cannot_hold_a_setting_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "pepper"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SettingsError, match="ACCORD_TOKEN_PEPPER"):
        Environment({"ACCORD_TOKEN_PEPPER_FILE": str(file)})


def test_slips_of_the_pen_are_noticed() -> None:
    variables = {"ACCORD_DEBGU": "1", "ACCORD_DEBUG": "1", "ACCORD_SECRET_KEY_FILE": "/dev/null", "HOME": "/"}
    assert Environment(variables).unknown() == ["ACCORD_DEBGU"]


def test_every_row_is_a_setting_and_every_setting_of_ours_is_a_row() -> None:
    ours = {name for name in vars(module) if name.startswith(PREFIX)}
    assert ours == {row.name for row in table.SETTINGS}
    assert configured(table.OUTBOX_INTERVAL) == getattr(settings, table.OUTBOX_INTERVAL.name)


def test_every_row_constant_is_in_the_table() -> None:
    constants = {id(value) for value in vars(table).values() if isinstance(value, table.Setting)}
    assert constants == {id(row) for row in table.SETTINGS}


@pytest.mark.parametrize("row", table.SETTINGS, ids=lambda row: row.name)
def test_rows_are_well_formed(row: Setting[Any]) -> None:
    assert row.name.startswith(PREFIX)
    assert row.sentence.endswith(".")
    assert "|" not in row.sentence + row.type.name
    row.type.parse(row.default)


def test_secrets_have_no_default_that_opens_anything() -> None:
    for row in (table.SECRET_KEY, table.TOKEN_PEPPER, table.METADATA_KEY):
        assert (row.is_secret, row.default) == (True, "")


def test_the_reference_page_is_up_to_date() -> None:
    assert settings_reference.main([str(REFERENCE), "--check"]) == 0


def test_the_check_notices_an_old_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "reference" / "settings.md"
    assert settings_reference.main([str(page), "--check"]) == 1
    assert "differs" in capsys.readouterr().err
    assert settings_reference.main([str(page)]) == 0
    assert settings_reference.main([str(page), "--check"]) == 0
