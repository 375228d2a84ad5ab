"""Hosts of namespaces: where they lead, and which are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit.error_tables import HttpError
from accord_server.kit.hosts import HOME, lead, place_of
from accord_server.kit.paths import RAW_PATH
from accord_server.kit.setting_types import NamespaceAddress
from tenants.slugs import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from pytest_django import Settings

DOMAIN = "sr.example.org"


@pytest.fixture
def hosted(settings: Settings) -> None:
    """An installation whose namespaces have hosts."""
    settings.ACCORD_BASE_DOMAIN = DOMAIN
    settings.ACCORD_ALLOWED_HOSTS = ["accord.sr.example.org", "[::1]", ".internal"]
    settings.ACCORD_PUBLIC_URL = "https://ui.sr.example.org"


def led(host: str | None, path: str = "/subjects", raw: str | None = None) -> tuple[str, str | None]:
    """Return the path, and the undecoded one, that a call is led to."""
    environ: dict[str, Any] = {"PATH_INFO": path}
    if host is not None:
        environ["HTTP_HOST"] = host
    if raw is not None:
        environ[RAW_PATH] = raw
    lead(environ)
    return environ["PATH_INFO"], environ.get(RAW_PATH)


def test_the_namespace_without_a_name_is_the_one_every_tenant_has() -> None:
    assert HOME == DEFAULT_NAMESPACE


@pytest.mark.parametrize(
    ("host", "place"),
    [
        (f"north.{DOMAIN}", ("north", "default")),
        (f"payments--north.{DOMAIN}", ("north", "payments")),
        (f"my-pay--my-north.{DOMAIN}", ("my-north", "my-pay")),
        (DOMAIN, None),
        (f".{DOMAIN}", None),
        (f"a.{DOMAIN}", None),
        (f"north.other.{DOMAIN}", None),
        (f"--north.{DOMAIN}", None),
        (f"north--.{DOMAIN}", None),
        (f"a1--b2--c3.{DOMAIN}", None),
        (f"pay---north.{DOMAIN}", None),
        (f"evil{DOMAIN}", None),
        (f"north.{DOMAIN}.evil.org", None),
    ],
)
def test_a_host_names_a_namespace_in_one_way_or_not_at_all(host: str, place: tuple[str, str] | None) -> None:
    found = place_of(host, DOMAIN)
    assert (None if found is None else (found.tenant, found.namespace)) == place


@pytest.mark.parametrize("host", [f"north.{DOMAIN}", f"NORTH.{DOMAIN}:8443", f"north.{DOMAIN}."])
def test_a_call_is_led_to_its_namespace(hosted: None, host: str) -> None:
    assert led(host) == ("/sr/north/default/subjects", None)
    assert led(host, "/") == ("/sr/north/default/", None)
    raw = "/subjects/a%2Fb"
    assert led(host, "/subjects/a/b", raw) == ("/sr/north/default/subjects/a/b", f"/sr/north/default{raw}")


def test_a_namespace_serves_nothing_of_the_platform_but_the_native_interface(hosted: None) -> None:
    host = f"payments--north.{DOMAIN}"
    assert led(host, "/api/v1/rules") == ("/api/v1/rules", None)
    for path in ("/sr/south/default/subjects", "/t/north/", "/sign-in", "/apix"):
        assert led(host, path)[0] == f"/sr/north/payments{path}"


@pytest.mark.parametrize(
    "host",
    ["accord.sr.example.org", "ACCORD.sr.example.org:443", "[::1]:8081", "ui.sr.example.org", "a.internal"],
)
def test_hosts_of_the_platform_come_first(hosted: None, host: str) -> None:
    assert led(host) == ("/subjects", None)


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.org",
        DOMAIN,
        f"a.b.{DOMAIN}",
        f"north.{DOMAIN}/x",
        f"north.{DOMAIN}@evil.org",
        "x" * 300,
        f"north.{DOMAIN}, evil.org",
        f"north\x00.{DOMAIN}",
        f"evil.org:80.north.{DOMAIN}",
        f"north_.{DOMAIN}",
    ],
)
def test_other_hosts_are_refused(hosted: None, host: str | None) -> None:
    with pytest.raises(HttpError) as refused:
        led(host)
    assert refused.value.status == 400
    assert led(host, "/readyz") == ("/readyz", None)


def test_hosts_of_namespaces_come_before_what_is_allowed_at_large(hosted: None, settings: Settings) -> None:
    for wide in (f".{DOMAIN}", "*"):
        settings.ACCORD_ALLOWED_HOSTS = [wide]
        assert led(f"north.{DOMAIN}")[0] == "/sr/north/default/subjects"
        assert led(f"a.b.{DOMAIN}")[0] == "/subjects"


def test_without_a_domain_no_host_leads_anywhere(settings: Settings) -> None:
    settings.ACCORD_BASE_DOMAIN = ""
    assert led("evil.org") == ("/subjects", None)


def test_an_address_is_what_the_setting_of_the_root_has_too() -> None:
    assert place_of(f"north.{DOMAIN}", DOMAIN) == NamespaceAddress("north", "default")
