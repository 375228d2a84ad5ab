"""axe finds nothing on any page, in both themes, on a desk and on a telephone; nothing is too wide.

Each page is opened once and looked at in every way, then once more in a second session. The themes differ in
colours alone, which is a test too; so in the dark only the rules on colour run. Those are the dearest by far,
and no width changes a colour: they run on the desk alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.conftest import Visit
from tests.browser.exhibits import EXHIBITS, VISITORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Site

# All pages are looked at before the first test says anything, hence the seconds.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN: Final = """values => axe.run({runOnly: {type: "tag", values}, resultTypes: ["violations"]})
    .then(found => found.violations)"""
RUN_SOME: Final = """([tags, onColours]) => {
    const rules = axe.getRules(tags).filter(rule => rule.tags.includes("cat.color") === onColours);
    const values = rules.map(rule => rule.ruleId);
    return axe.run({runOnly: {type: "rule", values}, resultTypes: ["violations"]})
        .then(found => found.violations);
}"""
# Colours pass over into each other; what counts is where they arrive.
ARRIVE: Final = "() => document.getAnimations().forEach(one => one.finish())"
DESK: Final = 1280
WIDTHS: Final = (DESK, 390)
NARROWEST: Final = 320
# Where everything stands, what of it is seen, and what it says: all but its colours.
SHAPE: Final = """() => [...document.querySelectorAll("body, body *")].map(one => {
    const {x, y, width, height} = one.getBoundingClientRect();
    const {visibility, content} = getComputedStyle(one);
    return [one.tagName, x, y, width, height, visibility, content, one.ariaHidden].join(" ");
})"""


@dataclass(frozen=True)
class Seen:
    """What one page showed in every way it was looked at."""

    violations: list[str]
    unlike: list[int]  # the widths at which the themes differ in more than colours
    widest: int
    unanswered: list[str]  # the ways of seeing in which the page shows nothing
    text: str


def describe(place: str, violation: dict[str, Any]) -> str:
    nodes = "; ".join(f"{node['target']} {node['failureSummary']}" for node in violation["nodes"][:3])
    return f"{place}: {violation['id']} ({violation['impact']}): {nodes}"


def look(page: Page, name: str) -> Seen:
    """Look at an open page, axe being in it, in every way; leave it as it was."""
    text = page.get_by_role("main").inner_text()
    violations: list[str] = []
    unlike: list[int] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 860})
        is_desk = width == DESK
        # One run of all rules costs less than two of some: they share what axe finds out about the page.
        found = page.evaluate(RUN, TAGS) if is_desk else page.evaluate(RUN_SOME, [TAGS, False])
        shape = page.evaluate(SHAPE)
        page.emulate_media(color_scheme="dark")
        page.evaluate(ARRIVE)
        found += page.evaluate(RUN_SOME, [TAGS, True]) if is_desk else []
        unlike += [width] if page.evaluate(SHAPE) != shape else []
        page.emulate_media(color_scheme="light")
        page.evaluate(ARRIVE)
        violations += [describe(f"{name} at {width}", one) for one in found]
    page.set_viewport_size({"width": NARROWEST, "height": 700})
    widest = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": WIDTHS[0], "height": 860})
    return Seen(violations, unlike, widest, unanswered(page), text)


def unanswered(page: Page) -> list[str]:
    """Return the ways of seeing in which the main part cannot be seen."""
    main = page.get_by_role("main")
    page.emulate_media(forced_colors="active")
    forced = main.is_visible()
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    still = main.is_visible()
    page.emulate_media(reduced_motion="no-preference")
    return [way for way, is_seen in (("forced colours", forced), ("little motion", still)) if not is_seen]


@pytest.fixture(scope="module")
def seen(browser: Browser, site: Site, axe_source: str) -> Mapping[str, Seen]:
    """Every page, opened once."""
    windows = {name: Visit.of(site, browser, name, color_scheme="light") for name in VISITORS}
    sights = {}
    for name, (who, address) in EXHIBITS.items():
        page = windows[who].go(address)
        page.evaluate(axe_source)
        sights[name] = look(page, name)
    assert [one.complaints + one.foreign() for one in windows.values()] == [[] for _ in windows]
    for window in windows.values():
        window.context.close()
    return sights


def test_axe_finds_nothing(seen: Mapping[str, Seen]) -> None:
    assert [one for sight in seen.values() for one in sight.violations] == []


def test_the_themes_differ_in_colours_alone(seen: Mapping[str, Seen]) -> None:
    assert {name: sight.unlike for name, sight in seen.items() if sight.unlike} == {}


def test_nothing_scrolls_sideways_but_code(seen: Mapping[str, Seen]) -> None:
    assert {name: sight.widest for name, sight in seen.items() if sight.widest > NARROWEST} == {}


def test_pages_answer_under_other_ways_of_seeing(seen: Mapping[str, Seen]) -> None:
    assert {name: sight.unanswered for name, sight in seen.items() if sight.unanswered} == {}


def test_each_view_is_the_same_in_a_second_session(
    visit: Callable[..., Visit], seen: Mapping[str, Seen]
) -> None:
    windows = {name: visit(name, color_scheme="dark", reduced_motion="reduce") for name in VISITORS}
    for name, (who, address) in EXHIBITS.items():
        text = windows[who].go(address).get_by_role("main").inner_text()
        assert without_moment(text) == without_moment(seen[name].text)


def without_moment(text: str) -> str:
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|just now|\d+\s\w+ ago|\d\d:\d\d UTC", "", text)


def test_axe_finds_nothing_in_an_open_menu_and_a_refused_sign_in(
    visit: Callable[..., Visit], axe_source: str
) -> None:
    menu, refused = visit("bob"), visit()
    menu.go("/t/north/").locator("details.menu summary").click()
    page = refused.go("/sign-in")
    page.get_by_label("User name").fill("bob")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator("#error").wait_for()
    for window in (menu, refused):
        window.page.evaluate(ARRIVE)
        window.page.evaluate(axe_source)
        assert [describe("", one) for one in window.page.evaluate(RUN, TAGS)] == []
