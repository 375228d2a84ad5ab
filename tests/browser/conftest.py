"""A served platform with data worth looking at, and headless Chromium in front of it.

The site is filled before the browser starts: Playwright's loop then owns the thread, and Django
refuses to speak to the database from a thread with a running loop.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.core.management import call_command
from django.db import connections
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from accord_server.dev import programs
from tests.browser.exhibits import fill
from tests.factories import PASSWORD
from tests.processes import granian

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.contrib.auth.models import User
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request
    from pytest_django.plugin import DjangoDbBlocker

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SESSION_COOKIE = "accord_session"
# A page on a busy machine may take its time; what never comes fails all the same.
expect.set_options(timeout=30_000)


@dataclass
class Site:
    """The served platform and the sessions of those who are signed in."""

    url: str
    sessions: dict[str, str]
    password: str = PASSWORD


@dataclass
class Visit:
    """One browser window with all it complained about."""

    page: Page
    context: BrowserContext
    site: Site
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, site: Site, browser: Browser, name: str = "", **options: Any) -> Visit:
        """Open a window, signed in if a name is given, that notes what it complains about."""
        width, height = options.pop("width", 1280), options.pop("height", 860)
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        if name:
            context.add_cookies([{"name": SESSION_COOKIE, "value": site.sessions[name], "url": site.url}])
        visit = cls(context.new_page(), context, site)
        visit.watch()
        return visit

    def go(self, address: str) -> Page:
        """Open an address of the site."""
        self.page.goto(self.site.url + address)
        return self.page

    def watch(self) -> None:
        """Note errors of scripts and the policy, and every request."""
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _failed(self, request: Request) -> None:
        # A page that is left before its icon has come gives the icon up.
        if request.failure != "net::ERR_ABORTED" or not request.url.endswith("/favicon.svg"):
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def _console(self, message: ConsoleMessage) -> None:
        # A page that is not found is itself a failed request to the browser.
        expected = "status of 404" in message.text or "status of 403" in message.text
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(f"{message.type}: {message.text}")

    def foreign(self) -> list[str]:
        """Return the requests that left the site."""
        return [url for url in self.requests if not url.startswith((self.site.url + "/", "data:"))]


@pytest.fixture(scope="package")
def site(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    redis_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """The platform, filled and served; once for the whole folder, since its tests only look."""
    with django_db_blocker.unblock():
        try:
            sessions = {name: _session(user) for name, user in fill().items()}
            connections.close_all()
            served = granian(tmp_path_factory.mktemp("site"))
            yield Site(served.url, sessions)
            served.stop()
        finally:
            call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="package")
def browser(site: Site) -> Iterator[Browser]:
    """Chromium, started once the site stands."""
    path = programs.browser()
    assert path, "these tests drive Chromium: install it, or name it in CHROMIUM_PATH"
    flags = [*FLAGS, "--no-sandbox"] if os.getuid() == 0 else FLAGS
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=flags) as started,
    ):
        yield started


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visit]]:
    """Open a window: ``visit("bob", color_scheme="dark", width=390)``; what it complains about fails."""
    visits: list[Visit] = []

    def open_window(name: str = "", **options: Any) -> Visit:
        visits.append(Visit.of(site, browser, name, **options))
        return visits[-1]

    yield open_window
    assert [one.complaints for one in visits if one.complaints] == []
    assert [one.foreign() for one in visits if one.foreign()] == []
    for one in visits:
        one.context.close()


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The accessibility checker."""
    path = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
    assert path.is_file(), "run `npm ci` first: the checker comes from the lock of the pages"
    return path.read_text(encoding="utf-8")


def _session(user: User) -> str:
    # The server knows the real hashers only, the tests' fast one is not among them.
    user.password = make_password(PASSWORD, hasher=PBKDF2PasswordHasher())
    user.save()
    client = Client()
    client.force_login(user)
    return client.cookies[SESSION_COOKIE].value
