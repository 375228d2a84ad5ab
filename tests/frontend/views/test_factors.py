"""Second factors: apps with real codes, recovery codes, and being asked for them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.core.management import CommandError, call_command
from django.test import Client

from accord_server.kit import attempts
from tenants.principals import operator_scope
from tenants.second_factors import SecondFactors
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document
from tests.frontend.views.test_accounts import browser, is_in
from tests.frontend.views.test_sign_in import actions, signed_in_as
from tests.registry.threads import all_at_once, interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.cast import Actor, TokenFor


@pytest.fixture(autouse=True)
def _no_attempts_yet(redis_url: str) -> Iterator[None]:
    attempts.forget()
    yield
    attempts.forget()


def code_of(secret: str, *, step: int = 0) -> str:
    """What an app shows (RFC 6238), reckoned here and not by the library under test."""
    counter = struct.pack(">Q", int(time.time()) // 30 + step)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def confirmed(actor: Actor) -> Client:
    """Sign in, and confirm that it is oneself."""
    client = browser(actor)
    client.post("/sign-in/confirm", {"password": factories.PASSWORD})
    return client


def with_app(client: Client) -> tuple[str, list[str]]:
    """Add an app; return its secret and the recovery codes."""
    page = client.get("/account/app").content.decode()
    found = re.search(r'<code class="secret">([A-Z2-7 ]+)<', page)
    assert found
    secret = found[1].replace(" ", "")
    answer = client.post("/account/app", {"code": code_of(secret)})
    assert answer.headers["Location"] == "/account/codes"
    shown = client.get("/account/codes")
    assert shown.headers["Cache-Control"] == "no-store"
    return secret, re.findall(r"<li><code>(\d+)</code>", shown.content.decode())


def at_second(actor: Actor) -> Client:
    """Pass the first door."""
    client = Client()
    answer = client.post("/sign-in", {"username": actor.name, "password": actor.password, "next": "/rules/"})
    assert answer.headers["Location"].startswith("/sign-in/second")
    return client


def test_changing_factors_asks_who_it_is_first(bob: Actor) -> None:
    client = browser(bob)
    for path in ("app", "codes/new", "passkeys/add"):
        answer = client.get(f"/account/{path}")
        assert answer.headers["Location"] == f"/sign-in/confirm?next=%2Faccount%2F{path.replace('/', '%2F')}"


def test_with_an_app_the_password_is_not_enough(bob: Actor) -> None:
    secret, codes = with_app(confirmed(bob))
    assert len(codes) == 10
    client = at_second(bob)
    assert not is_in(client)
    assert client.get("/sign-in/second").status_code == 200
    assert client.post("/sign-in/second", {"code": "000000"}).status_code == 403
    answer = client.post("/sign-in/second", {"code": code_of(secret, step=1)})
    assert answer.headers["Location"] == "/rules/"
    assert is_in(client)
    noted = [("factor.add", "allowed"), ("sign_in", "denied"), ("sign_in", "allowed")]
    assert actions(bob)[-3:] == noted


def test_a_new_factor_ends_what_was_begun_without_it(bob: Actor) -> None:
    somebody, own = browser(bob), confirmed(bob)
    assert is_in(somebody)
    with_app(own)
    assert (is_in(somebody), is_in(own)) == (False, True)


def test_a_code_is_good_once(bob: Actor) -> None:
    secret, codes = with_app(confirmed(bob))
    for code in (code_of(secret, step=1), codes[0]):
        assert at_second(bob).post("/sign-in/second", {"code": code}).status_code == 302
        assert at_second(bob).post("/sign-in/second", {"code": code}).status_code == 403


def test_a_code_is_good_once_however_it_is_spelled(bob: Actor) -> None:
    """In another process too: what this one remembers is forgotten in between."""
    secret, codes = with_app(confirmed(bob))
    for code in (code_of(secret, step=1), codes[0]):
        assert at_second(bob).post("/sign-in/second", {"code": code}).status_code == 302
        totp.cache.clear()
        again = f" {code[:3]}-{code[3:]}"
        assert at_second(bob).post("/sign-in/second", {"code": again}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_is_good_once_at_the_same_moment_too(bob: Actor) -> None:
    _secret, codes = with_app(confirmed(bob))
    doors = [at_second(bob) for _ in range(3)]
    scope = operator_scope(bob.tenant.ref)
    tries = all_at_once(scope, lambda n: doors[n].post("/sign-in/second", {"code": codes[0]}), len(doors))
    assert sorted(one.status_code for one in tries if not isinstance(one, Exception)) == [302, 403, 403]


@pytest.mark.django_db(transaction=True)
def test_looking_at_recovery_codes_brings_no_used_one_back(bob: Actor) -> None:
    client = confirmed(bob)
    with_app(client)
    client.post("/account/codes/new")
    (row,) = Authenticator.objects.filter(type="recovery_codes")
    codes = RecoveryCodes(row)

    def use() -> bool:
        return bool(codes.validate_code(codes.generate_codes()[0]))

    scope = operator_scope(bob.tenant.ref)
    interrupted(scope, lambda: client.get("/account/codes"), after="mfa_authenticator", by=use)
    assert b"9 codes are left" in client.get("/account/codes").content


def test_where_a_secret_cannot_be_read_any_more_no_code_fits(bob: Actor, settings: Settings) -> None:
    """Nor does one of the empty secret, which everybody can reckon."""
    with_app(confirmed(bob))
    settings.ACCORD_TOKEN_PEPPER = "m" * 40
    keyed = hmac.new(b"", b"  0,", hashlib.sha1).digest()[:4]
    for code in (code_of(""), code_of("", step=1), f"{int.from_bytes(keyed) % 10**8:08}"):
        assert at_second(bob).post("/sign-in/second", {"code": code}).status_code == 403


def test_codes_are_guessed_no_faster_than_passwords(bob: Actor) -> None:
    secret, _codes = with_app(confirmed(bob))
    client = at_second(bob)
    tries = [client.post("/sign-in/second", {"code": "000000"}) for _ in range(9)]
    assert [one.status_code for one in tries] == [403] * 8 + [429]
    assert client.post("/sign-in/second", {"code": code_of(secret, step=1)}).status_code == 429
    assert actions(bob)[-1] == ("sign_in.lock", "denied")


def test_nobody_comes_to_the_second_door_without_the_first(client: Client, db: None) -> None:
    assert client.get("/sign-in/second").headers["Location"] == "/sign-in"
    assert client.post("/sign-in/second", {"code": "000000"}).headers["Location"] == "/sign-in"


def test_who_stands_at_the_second_door_can_start_again(bob: Actor) -> None:
    with_app(confirmed(bob))
    client = at_second(bob)
    assert client.get("/sign-in").headers["Location"] == "/sign-in/second"
    client.post("/sign-out")
    assert client.get("/sign-in").status_code == 200


def test_recovery_codes_are_shown_once_and_can_be_renewed(bob: Actor) -> None:
    client = confirmed(bob)
    _secret, codes = with_app(client)
    assert b"10 codes are left" in client.get("/account/codes").content
    assert client.get("/account/codes/new").status_code == 200
    assert client.post("/account/codes/new").headers["Location"] == "/account/codes"
    again = re.findall(r"<li><code>(\d+)</code>", client.get("/account/codes").content.decode())
    assert len(again) == 10
    assert set(again) != set(codes)
    assert at_second(bob).post("/sign-in/second", {"code": codes[0]}).status_code == 403
    assert ("factor.codes", "allowed") in actions(bob)


def test_there_are_no_recovery_codes_without_a_factor(bob: Actor) -> None:
    client = confirmed(bob)
    assert client.get("/account/codes").status_code == 404
    assert b"without having" in client.post("/account/codes/new").content


def test_an_app_is_removed_with_its_recovery_codes(bob: Actor) -> None:
    client = confirmed(bob)
    with_app(client)
    assert client.get("/account/app").headers["Location"] == "/account/app/remove"
    assert client.get("/account/app/remove").status_code == 200
    client.post("/account/app/remove")
    assert not Authenticator.objects.filter(user=bob.user).exists()
    assert ("factor.remove", "allowed") in actions(bob)
    assert signed_in_as(Client(), bob) == 302


def test_a_code_confirms_that_it_is_oneself(bob: Actor) -> None:
    secret, _codes = with_app(confirmed(bob))
    client = at_second(bob)
    client.post("/sign-in/second", {"code": code_of(secret, step=1)})
    page = client.get("/sign-in/confirm?next=/account/codes/new").content.decode()
    assert "/sign-in/confirm/code?next=%2Faccount%2Fcodes%2Fnew" in page
    assert client.post("/sign-in/confirm/code", {"code": "000000"}).status_code == 403
    form = {"code": code_of(secret, step=-1), "next": "/account/codes/new"}
    assert client.post("/sign-in/confirm/code", form).headers["Location"] == "/account/codes/new"
    assert client.get("/account/codes/new").status_code == 200


def test_a_wrong_first_code_adds_no_app(bob: Actor) -> None:
    client = confirmed(bob)
    client.get("/account/app")
    assert client.post("/account/app", {"code": "12"}).status_code == 403
    assert not Authenticator.objects.exists()


def test_secrets_are_stored_encrypted(bob: Actor, settings: Settings) -> None:
    secret, _codes = with_app(confirmed(bob))
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored
    settings.ACCORD_TOKEN_PEPPER += "," + "n" * 40
    assert SecondFactors().decrypt(stored) == secret
    settings.ACCORD_TOKEN_PEPPER = "m" * 40
    assert SecondFactors().decrypt(stored) not in {"", secret}
    assert at_second(bob).post("/sign-in/second", {"code": code_of(secret, step=1)}).status_code == 403


def test_an_operator_takes_factors_off_that_are_lost(bob: Actor) -> None:
    with_app(confirmed(bob))
    told = StringIO()
    call_command("remove_factors", bob.name, stdout=told)
    assert "2 factors of bob" in told.getvalue()
    assert signed_in_as(Client(), bob) == 302
    with pytest.raises(CommandError, match="person:nobody"):
        call_command("remove_factors", "nobody")


@pytest.mark.parametrize(
    "credential", ["", "{}", "[]", "1", '{"id": "x"}', '{"response": {"userHandle": "?"}}']
)
def test_a_made_up_passkey_opens_nothing(client: Client, db: None, credential: str) -> None:
    options: dict[str, Any] = client.get("/sign-in/passkey").json()
    assert options["publicKey"]["userVerification"] == "required"
    answer = client.post("/sign-in/passkey", {"credential": credential})
    assert answer.headers["Location"] == "/sign-in?done=passkey"
    assert b"belongs to no account" in client.get("/sign-in?done=passkey").content


@pytest.mark.parametrize("credential", ["", "{}", '{"id": "x"}'])
def test_a_made_up_passkey_is_not_added(bob: Actor, credential: str) -> None:
    client = confirmed(bob)
    assert client.get("/account/passkeys/add").status_code == 200
    assert client.post("/account/passkeys/add", {"credential": credential}).status_code == 403
    assert client.get("/account/passkeys/1/remove").status_code == 404


def test_a_passkey_is_renamed_by_whoever_it_belongs_to(bob: Actor, carol: Actor) -> None:
    kinds = Authenticator.Type
    theirs, mine = (
        Authenticator.objects.create(user=one.user, type=kinds.WEBAUTHN, data={"name": "Phone"})
        for one in (carol, bob)
    )
    # The password alone lets nobody in any more, and a made-up passkey does not either.
    client = Client()
    client.force_login(bob.user)
    path = f"/account/passkeys/{mine.pk}/rename"
    assert client.get(path).headers["Location"].startswith("/sign-in/confirm")
    client.post("/sign-in/confirm", {"password": factories.PASSWORD})
    assert 'value="Phone"' in client.get(path).content.decode()
    assert client.post(path, {"name": "x" * 101}).status_code == 403
    assert client.post(path, {"name": "Key <1>"}).headers["Location"] == "/account/?done=factors"
    assert "Key &lt;1&gt;" in client.get("/account/").content.decode()
    assert client.get(f"/account/passkeys/{theirs.pk}/rename").status_code == 404
    assert ("factor.rename", "allowed") in actions(bob)


def test_a_tenant_may_ask_its_people_for_a_second_factor(
    alice: Actor, bob: Actor, mallory: Actor, token_for: TokenFor
) -> None:
    admin = Caller(bearer(token_for(alice)))
    client = confirmed(bob)
    for wanted in (True, True):
        answer = admin.send("PATCH", "/api/v1/tenants/north", {"second_factor": wanted}, {"If-Match": "*"})
        assert document(answer)["second_factor"] == wanted
    for path in ("/t/north/", "/t/north/ns/default/", "/t/north/tokens/"):
        assert client.get(path).headers["Location"] == "/account/?needed=north"
    assert client.post("/t/north/", {"restore": "x"}).headers["Location"] == "/account/?needed=north"
    sent = client.get("/account/?needed=north").content.decode()
    assert "The tenant north lets people in only with a second factor" in sent
    # Who is no member learns nothing, and nobody is told of tenants that are not theirs.
    assert browser(mallory).get("/t/north/").status_code == 404
    assert "lets people in only" not in client.get("/account/?needed=south").content.decode()
    # Programs are not asked for it.
    assert admin.send("GET", "/api/v1/tenants/north").status_code == 200
    with_app(client)
    assert client.get("/t/north/").status_code == 200
    assert "lets people in only" not in client.get("/account/?needed=north").content.decode()
    Authenticator.objects.filter(user=bob.user, type="totp").delete()
    assert client.get("/t/north/").status_code == 302
