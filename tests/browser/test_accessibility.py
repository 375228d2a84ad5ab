"""axe finds nothing on any page, in both themes, on a desk and on a telephone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.exhibits import EXHIBITS, VISITORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = "tags => axe.run({runOnly: {type: 'tag', values: tags}}).then(found => found.violations)"


def describe(name: str, violation: dict[str, Any]) -> str:
    nodes = "; ".join(f"{node['target']} {node['failureSummary']}" for node in violation["nodes"][:3])
    return f"{name}: {violation['id']} ({violation['impact']}): {nodes}"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(visit: Callable[..., Visit], axe_source: str, theme: str, width: int) -> None:
    windows = {name: visit(name, color_scheme=theme, width=width) for name in VISITORS}
    found: list[str] = []
    for name, (who, address) in EXHIBITS.items():
        page = windows[who].go(address)
        page.evaluate(axe_source)
        found += [describe(name, violation) for violation in page.evaluate(RUN, TAGS)]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_in_an_open_menu_and_a_refused_sign_in(
    visit: Callable[..., Visit], axe_source: str
) -> None:
    menu, refused = visit("bob"), visit()
    menu.go("/t/north/").locator("details.menu summary").click()
    page = refused.go("/sign-in")
    page.get_by_label("User name").fill("bob")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    for window in (menu, refused):
        window.page.evaluate(axe_source)
        assert [describe("", one) for one in window.page.evaluate(RUN, TAGS)] == []


def test_nothing_scrolls_sideways_but_code(visit: Callable[..., Visit]) -> None:
    windows = {name: visit(name, width=320, height=700) for name in VISITORS}
    wide = {
        name: width
        for name, (who, address) in EXHIBITS.items()
        if (width := windows[who].go(address).evaluate("document.documentElement.scrollWidth")) > 320
    }
    assert wide == {}


@pytest.mark.parametrize("options", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}])
def test_pages_answer_under_other_ways_of_seeing(
    visit: Callable[..., Visit], options: dict[str, str]
) -> None:
    window = visit("bob", **options)
    for _, address in EXHIBITS.values():
        assert window.go(address).get_by_role("main").is_visible()
