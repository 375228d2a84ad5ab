"""The account of the visitor: its password, its sessions, and the way back to it."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import celery
import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from kombu.exceptions import OperationalError

from accord_server.kit import attempts
from accord_server.kit.setting_types import MailServer
from tenants import session_life
from tenants.queries.sessions import MOST_SESSIONS, sessions_of
from tenants.services.passwords import mail_links
from tenants.services.sessions import clear_sessions
from tests import factories
from tests.frontend.views.test_sign_in import actions, signed_in_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.cast import Actor

NEW = "quite-another-horse-2026"


@pytest.fixture(autouse=True)
def _no_attempts_yet(redis_url: str) -> Iterator[None]:
    attempts.forget()
    yield
    attempts.forget()


def browser(actor: Actor) -> Client:
    """Sign in with a browser of one's own."""
    client = Client(headers={"User-Agent": "Netscape"})
    assert signed_in_as(client, actor) == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def change(client: Client, old: str, new: str = NEW, again: str = "") -> int:
    form = {"oldpassword": old, "password1": new, "password2": again or new}
    return client.post("/account/password", form).status_code


def link_of(text: str) -> str:
    found = re.search(r"http\S+", text)
    assert found
    return urlsplit(found[0]).path


def test_a_changed_password_ends_every_other_session(bob: Actor) -> None:
    here, elsewhere = browser(bob), browser(bob)
    assert change(here, bob.password) == 302
    assert is_in(here)
    assert not is_in(elsewhere)
    assert signed_in_as(Client(), bob) == 403
    assert signed_in_as(Client(), bob, password=NEW) == 302
    assert ("password.change", "allowed") in actions(bob)


@pytest.mark.parametrize(("new", "again"), [("short-1", ""), ("password1234", ""), (NEW, NEW + "x")])
def test_a_password_that_is_weak_or_typed_wrongly_is_not_taken(bob: Actor, new: str, again: str) -> None:
    here = browser(bob)
    assert change(here, bob.password, new, again) == 403
    assert signed_in_as(Client(), bob) == 302


def test_guessing_the_old_password_is_counted_as_at_the_door(bob: Actor) -> None:
    here = browser(bob)
    assert [change(here, "wrong") for _ in range(attempts.FAILURES_OF_NAME)] == [403] * 8
    assert change(here, bob.password) == 429
    assert ("sign_in", "denied") in actions(bob)


def test_people_see_their_sessions_and_end_them(bob: Actor) -> None:
    here, elsewhere, far = browser(bob), browser(bob), browser(bob)
    page = here.get("/account/").content.decode()
    assert page.count("Netscape") == 5  # three rows, and two buttons that say what they end
    number = UserSession.objects.get(session_key=elsewhere.session.session_key).pk
    assert here.post("/account/sessions/end", {"session": number}).status_code == 302
    assert [is_in(one) for one in (here, elsewhere, far)] == [True, False, True]
    here.post("/account/sessions/end", {"session": "others"})
    assert [is_in(one) for one in (here, far)] == [True, False]
    assert actions(bob)[-1] == ("session.end", "allowed")


@pytest.mark.parametrize("wanted", ["", "0", "x", "9" * 30, "\u0663"])
def test_a_session_that_is_not_there_cannot_be_ended(bob: Actor, wanted: str) -> None:
    assert browser(bob).post("/account/sessions/end", {"session": wanted}).status_code == 404


def test_nobody_ends_the_sessions_of_others(bob: Actor, mallory: Actor) -> None:
    hers = browser(mallory)
    number = UserSession.objects.get(session_key=hers.session.session_key).pk
    assert browser(bob).post("/account/sessions/end", {"session": number}).status_code == 404
    assert is_in(hers)


def test_the_oldest_session_ends_when_there_are_too_many(bob: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenants.services.sessions.MOST_SESSIONS", 2)
    assert MOST_SESSIONS > 2
    first, second, third = (browser(bob) for _ in range(3))
    assert [is_in(one) for one in (first, second, third)] == [True, True, True]
    browser(bob)
    assert sum(is_in(one) for one in (first, second, third)) == 2


def wind_back(client: Client, **seconds: int) -> None:
    session = client.session
    for name, by in seconds.items():
        session[name] -= by
    session.save()


def test_an_idle_session_ends(bob: Actor, settings: Settings) -> None:
    settings.ACCORD_SESSION_IDLE_MINUTES = 10
    client = browser(bob)
    wind_back(client, seen=9 * 60)
    assert is_in(client)
    wind_back(client, seen=11 * 60)
    assert client.get("/account/").headers["Location"] == "/sign-in?next=/account/"


def test_a_session_ends_however_busy_it_is(bob: Actor, settings: Settings) -> None:
    settings.ACCORD_SESSION_HOURS = 1
    client = browser(bob)
    wind_back(client, began=3601)
    assert not is_in(client)


def test_a_session_is_noted_once_a_minute(bob: Actor) -> None:
    client = browser(bob)
    row = UserSession.objects.get(session_key=client.session.session_key)
    client.get("/account/")
    assert UserSession.objects.get(pk=row.pk).last_seen_at == row.last_seen_at
    wind_back(client, seen=61)
    client.get("/account/", REMOTE_ADDR="192.0.2.7")
    (seen,) = sessions_of(bob.user, current=client.session.session_key)
    assert (seen.address, seen.client, seen.is_current) == ("192.0.2.7", "Netscape", True)
    assert seen.seen_at > row.last_seen_at


def test_a_session_of_an_older_release_begins_now(as_bob: Client) -> None:
    assert session_life.BEGAN not in as_bob.session
    assert is_in(as_bob)
    assert session_life.BEGAN in as_bob.session


def test_what_is_left_of_ended_sessions_is_deleted(bob: Actor) -> None:
    gone, there = browser(bob), browser(bob)
    Session.objects.filter(session_key=gone.session.session_key).update(expire_date="2020-01-01T00:00Z")
    assert clear_sessions() == 1
    assert [row.session_key for row in UserSession.objects.filter(user=bob.user)] == [
        there.session.session_key
    ]


def test_an_operators_link_is_good_once_and_ends_every_session(bob: Actor) -> None:
    signed_in, told = browser(bob), StringIO()
    call_command("reset_password", bob.name, stdout=told)
    path, visitor = link_of(told.getvalue()), Client()
    form = visitor.get(path).headers["Location"]
    assert visitor.get(form).status_code == 200
    answer = visitor.post(form, {"password1": NEW, "password2": NEW})
    assert answer.headers["Location"] == "/sign-in?done=password"
    assert b"Your password is changed" in visitor.get("/sign-in?done=password").content
    assert not is_in(signed_in)
    assert signed_in_as(visitor, bob, password=NEW) == 302
    assert b"not good" in Client().get(path).content
    assert ("password.reset", "allowed") in actions(bob)


@pytest.mark.parametrize("name", ["nobody", "bob"])
def test_there_is_no_link_for_who_has_no_account(bob: Actor, name: str) -> None:
    user = bob.user
    user.is_active = False
    user.save()
    with pytest.raises(CommandError, match="person:"):
        call_command("reset_password", name)


@pytest.mark.parametrize("key", ["1-x", "zzzzzzzzzzzzz-abc", "1-set-password"])
def test_a_made_up_link_is_not_good(client: Client, db: None, key: str) -> None:
    assert b"not good" in client.get(f"/sign-in/new-password/{key}").content


def test_without_a_mail_server_the_page_says_who_can_help(client: Client, db: None) -> None:
    assert b"sends no mail" in client.get("/sign-in/forgotten").content
    assert client.post("/sign-in/forgotten", {"email": "a@b.example"}).status_code == 404


def test_a_link_goes_to_the_address_and_nobody_learns_whose_it_is(
    bob: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCORD_EMAIL_URL = MailServer("mail.example", 587)
    asked: list[str] = []

    def ask(email: str) -> bool:
        asked.append(email)
        return True

    monkeypatch.setattr("frontend.views.sign_in.ask_for_new_password", ask)
    user = bob.user
    user.email = "Bob.North@example.org"
    user.save()
    answers = [
        Client().post("/sign-in/forgotten", {"email": email})
        for email in (" bob.north@Example.org", "nobody@example.org")
    ]
    assert [b"If an account has this address" in one.content for one in answers] == [True, True]
    assert [mail_links(email) for email in asked] == [1, 0]
    (message,) = mail.outbox
    assert message.to == ["Bob.North@example.org"]
    assert Client().get(link_of(str(message.body))).status_code == 302


def test_links_are_not_asked_for_without_end(client: Client, db: None, settings: Settings) -> None:
    settings.ACCORD_EMAIL_URL = MailServer("mail.example", 587)
    statuses = {client.post("/sign-in/forgotten", {"email": "a@b.example"}).status_code for _ in range(9)}
    assert statuses == {200, 429}


def asks(client: Client, mailbox: str, address: str) -> int:
    form = {"email": mailbox}
    return client.post("/sign-in/forgotten", form, REMOTE_ADDR=address).status_code


def test_one_mailbox_gets_few_mails_whoever_asks(client: Client, db: None, settings: Settings) -> None:
    settings.ACCORD_EMAIL_URL = MailServer("mail.example", 587)
    spelled = ("a@b.example", "A@b.example", " a@b.example", "a@B.example ")
    asked = [asks(client, one, f"192.0.2.{number}") for number, one in enumerate(spelled)]
    assert asked == [200] * attempts.MAILS_TO_ONE + [429]
    assert asks(client, "c@b.example", "192.0.2.1") == 200


def test_one_client_sends_few_mails_to_whomever(client: Client, db: None, settings: Settings) -> None:
    settings.ACCORD_EMAIL_URL = MailServer("mail.example", 587)
    asked = [asks(client, f"{number}@b.example", "192.0.2.1") for number in range(11)]
    assert asked == [200] * attempts.MAILS_OF_ADDRESS + [429]
    assert asks(client, "0@b.example", "192.0.2.2") == 200


def test_while_no_worker_can_be_told_the_page_says_so(
    client: Client, db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCORD_EMAIL_URL = MailServer("mail.example", 587)
    monkeypatch.setattr(celery.current_app, "send_task", _no_redis)
    assert client.post("/sign-in/forgotten", {"email": "a@b.example"}).status_code == 503


def _no_redis(*_task: object, **_options: object) -> None:
    raise OperationalError


def test_who_has_no_password_cannot_change_one(as_bob: Client, bob: Actor) -> None:
    user = bob.user
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    assert b"without a password" in client.get("/account/").content
    assert client.get("/account/password").status_code == 404


def test_confirming_that_it_is_oneself_takes_the_password(bob: Actor) -> None:
    client = browser(bob)
    assert client.post("/sign-in/confirm", {"password": "wrong"}).status_code == 403
    answer = client.post("/sign-in/confirm", {"password": factories.PASSWORD, "next": "/account/"})
    assert answer.headers["Location"] == "/account/"
