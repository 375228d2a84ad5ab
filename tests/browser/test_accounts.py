"""Passkeys with a virtual authenticator, and the pages of accounts, narrow and in both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import ARRIVE, RUN, RUN_SOME, TAGS, describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import CDPSession, Page

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

NAME = "Passkey of a laptop"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Guest:
    """A window at *localhost*, where passkeys are allowed, with an authenticator of its own."""

    def __init__(self, visit: Visit, axe: str) -> None:
        visit.site = type(visit.site)(
            visit.site.url.replace("127.0.0.1", "localhost"), visit.site.sessions, visit.site.password
        )
        self.visit, self.page, self._axe = visit, visit.page, axe
        self.device = self._device()

    def _device(self) -> tuple[CDPSession, str]:
        session = self.visit.context.new_cdp_session(self.page)
        session.send("WebAuthn.enable")
        added = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        return session, added["authenticatorId"]

    def credentials(self) -> list[Any]:
        """What the authenticator holds."""
        session, number = self.device
        found: list[Any] = session.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"]
        return found

    def look(self) -> Page:
        """Let the checker look at the page in both themes, and see that nothing is wider than the window."""
        self.page.emulate_media(color_scheme="light")
        self.page.evaluate(ARRIVE)
        self.page.evaluate(self._axe)
        assert [describe("light", one) for one in self.page.evaluate(RUN, TAGS)] == []
        self.page.emulate_media(color_scheme="dark")
        self.page.evaluate(ARRIVE)
        assert [describe("dark", one) for one in self.page.evaluate(RUN_SOME, [TAGS, True])] == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), self.page.url
        return self.page

    def sign_in(self, name: str) -> Page:
        """Type name and password."""
        self.visit.go("/sign-in")
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(self.visit.site.password)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        return self.page

    def sign_out(self) -> None:
        """Sign out by the menu."""
        self.page.locator("details.menu summary").click()
        self.page.get_by_role("button", name="Sign out").click()
        self.page.wait_for_url("**/sign-in")


def test_a_passkey_is_added_and_lets_in_by_itself_and_after_the_password(
    visit: Callable[..., Visit], axe_source: str
) -> None:
    guest = Guest(visit(width=390, height=844), axe_source)
    page = guest.sign_in("mallory")
    page.wait_for_url("**/t/south/**")
    guest.visit.go("/account/passkeys/add")
    guest.look().get_by_label("Password").fill(guest.visit.site.password)
    page.get_by_role("button", name="Confirm").click()
    guest.look().get_by_label("Name").fill(NAME)
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    code = guest.look().locator(".codes code").first.inner_text()
    page.get_by_role("link", name="Back to the account").click()
    expect(page.get_by_text(NAME)).to_be_visible()
    guest.look()
    (held,) = guest.credentials()
    assert held["isResidentCredential"]

    guest.sign_out()
    guest.look().get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/t/south/**")

    guest.sign_out()
    guest.sign_in("mallory")
    guest.look().get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/t/south/**")

    guest.sign_out()
    guest.sign_in("mallory").get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/t/south/**")

    guest.visit.go("/account/app")
    page.get_by_role("link", name="Use a passkey").click()
    guest.look().get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Add an authenticator app")
    guest.look()
    guest.visit.go("/account/")
    page.get_by_role("link", name=f"Remove {NAME}").click()
    guest.look().get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("lets you in by fingerprint")).to_be_visible()

    guest.sign_out()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert").first).to_contain_text("belongs to no account")


@pytest.mark.parametrize("where", ["/account/password", "/sign-in/forgotten", "/sign-in/new-password/1-x"])
def test_the_other_pages_of_accounts_have_no_fault(
    visit: Callable[..., Visit], axe_source: str, where: str
) -> None:
    guest = Guest(visit("bob", width=390, height=844), axe_source)
    guest.visit.go(where)
    guest.look()
