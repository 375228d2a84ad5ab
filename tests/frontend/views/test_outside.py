"""Signing in by OpenID Connect, against a real provider: `oidc-provider` for Node.js."""

from __future__ import annotations

import re
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from accord_server.dev import bootstrap
from accord_server.kit import attempts
from accord_server.kit.setting_types import OidcProvider
from tenants.principals import operator_scope
from tenants.queries import tenants_of
from tenants.services.invitations import Invite, WantedBinding, invite
from tests import factories
from tests.frontend.views.test_accounts import browser, is_in
from tests.frontend.views.test_factors import confirmed
from tests.frontend.views.test_sign_in import actions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tenants.records import TenantRecord
    from tests.cast import Actor

PROGRAM = Path(__file__).parents[2] / "e2e/clients/node/oidc.mjs"
BACK = "http://testserver/sign-in/with/corp/back"
ERIN = "erin|erin@corp.example|true"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """A provider, started for these tests."""
    with closing(socket.create_server(("localhost", 0))) as free:
        port = free.getsockname()[1]
    words = ["node", str(PROGRAM), str(port), BACK]
    environment = {"PATH": bootstrap.path_with_node()}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        yield f"http://localhost:{port}"
        process.terminate()


@pytest.fixture(autouse=True)
def _configured(issuer: str, settings: Settings, redis_url: str, db: None) -> None:
    attempts.forget()
    provider = OidcProvider("corp", "Corp", issuer, "accord", "s" * 32, ("corp.example",))
    settings.ACCORD_OIDC_PROVIDERS = (provider,)
    settings.SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [provider.app()]}
    }


def at_provider(url: str, who: str) -> str:
    """Say there who one is and agree; return the address that one is sent back to."""
    with requests.Session() as session:
        answer = session.get(url, allow_redirects=False, timeout=PATIENCE_S)
        form: dict[str, str] = {"prompt": "login", "login": who, "password": "any"}
        while True:
            while "Location" in answer.headers:
                url = urljoin(answer.url, answer.headers["Location"])
                if url.startswith(BACK):
                    return url
                answer = session.get(url, allow_redirects=False, timeout=PATIENCE_S)
            found = re.search(r'action="([^"]+)"', answer.text)
            assert found, answer.text
            answer = session.post(found[1], form, allow_redirects=False, timeout=PATIENCE_S)
            form = {"prompt": "consent"}


def go(client: Client, who: str, start: str = "/sign-in/with/corp", **form: str) -> str:
    """Go to the provider and come back; return where one is sent."""
    page = client.post(start, form).content.decode()
    found = re.search(r'<a href="(http://localhost[^"]+)">Go on', page)
    assert found, page
    back = urlsplit(at_provider(found[1].replace("&amp;", "&"), who))
    return client.get(f"{back.path}?{back.query}").headers["Location"]


def invited(tenant: TenantRecord, email: str) -> str:
    wanted = Invite(email=email, bindings=(WantedBinding("viewer"),))
    return invite(operator_scope(tenant.ref), command=wanted).value


def test_the_invited_come_in_by_their_verified_address(north: TenantRecord, south: TenantRecord) -> None:
    client, token = Client(), invited(north, "Erin@corp.example")
    assert go(client, ERIN, token=token, next="/rules/") == "/rules/"
    user = User.objects.get(username="erin")
    assert not user.has_usable_password()
    assert [one.slug for one in tenants_of(user)] == ["north"]
    assert client.get("/t/north/").status_code == 200
    assert client.get("/t/south/").status_code == 404
    again = Client()
    assert go(again, ERIN) == "/"
    assert is_in(again)


@pytest.mark.parametrize(
    "who",
    [
        "erin|erin@corp.example|false",
        "erin|erin@corp.example|words",
        "eve|eve@corp.example|true",
        "erin|erin@evil.example|true",
    ],
)
def test_an_invitation_to_another_or_unverified_address_is_not_accepted(
    north: TenantRecord, who: str
) -> None:
    client, token = Client(), invited(north, "erin@corp.example")
    assert go(client, who, token=token) == "/sign-in?done=identity"
    assert not SocialAccount.objects.exists()
    assert not is_in(client)


def test_an_address_alone_joins_nothing_to_an_account(bob: Actor) -> None:
    User.objects.filter(username=bob.name).update(email="erin@corp.example")
    client = Client()
    assert go(client, ERIN) == "/sign-in?done=identity"
    assert b"belongs to no account" in client.get("/sign-in?done=identity").content


def test_a_member_adds_an_identity_and_comes_in_by_it(bob: Actor) -> None:
    here = confirmed(bob)
    assert go(here, ERIN, "/account/identities/corp/add") == "/account/?done=identities"
    assert b"erin@corp.example" in here.get("/account/").content
    there = Client()
    assert go(there, ERIN) == "/"
    assert there.get("/t/north/").status_code == 200
    assert actions(bob)[-2:] == [("identity.add", "allowed"), ("sign_in", "allowed")]
    number = SocialAccount.objects.get().pk
    assert here.post(f"/account/identities/{number}/remove").status_code == 302
    assert go(Client(), ERIN) == "/sign-in?done=identity"


def test_an_identity_of_somebody_else_is_not_taken(bob: Actor, mallory: Actor) -> None:
    go(confirmed(bob), ERIN, "/account/identities/corp/add")
    go(confirmed(mallory), ERIN, "/account/identities/corp/add")
    assert SocialAccount.objects.get().user.get_username() == bob.name
    number = SocialAccount.objects.get().pk
    assert confirmed(mallory).post(f"/account/identities/{number}/remove").status_code == 404


def test_adding_an_identity_asks_who_it_is_first(bob: Actor) -> None:
    answer = browser(bob).post("/account/identities/corp/add")
    assert answer.headers["Location"].startswith("/sign-in/confirm?next=")


def test_the_only_way_in_cannot_be_removed(north: TenantRecord) -> None:
    client = Client()
    go(client, ERIN, token=invited(north, "erin@corp.example"))
    number = SocialAccount.objects.get().pk
    assert client.post(f"/account/identities/{number}/remove").status_code == 404


def test_a_provider_that_does_not_answer_or_refuses_is_said_at_the_door(settings: Settings) -> None:
    client = Client()
    assert (
        client.get("/sign-in/with/corp/back?error=access_denied").headers["Location"].startswith("/sign-in")
    )
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = (
        "http://localhost:1"
    )
    assert client.post("/sign-in/with/corp").headers["Location"] == "/sign-in?done=provider"
    assert client.post("/sign-in/with/nobody").status_code == 404


def test_an_invitation_is_accepted_with_a_new_account_on_a_page(north: TenantRecord) -> None:
    client, token = Client(), invited(north, "erin@corp.example")
    assert b"Accept with" in client.get("/invitation").content
    form = {"token": token, "username": "erin", "password": "short"}
    assert client.post("/invitation", form).status_code == 403
    answer = client.post("/invitation", {**form, "password": factories.PASSWORD})
    assert answer.headers["Location"] == "/sign-in?done=invitation"
    assert b"You are a member now" in client.get(answer.headers["Location"]).content
    client.post("/sign-in", {"username": "erin", "password": factories.PASSWORD})
    assert client.get("/t/north/").status_code == 200


def test_invitations_are_not_guessed_without_end() -> None:
    form = {"token": "acci_x", "username": "erin", "password": "x"}
    assert {Client().post("/invitation", form).status_code for _ in range(9)} == {403, 429}
