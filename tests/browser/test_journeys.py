"""What people do: find a subject, read it, compare versions; by mouse, by keyboard, without script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.exhibits import FLEET, POLICIES, SUBJECT

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser
MAX_TABS = 40


def tab_to(page: Page, role: str, name: str) -> None:
    """Press Tab until the named element has the focus."""
    wanted = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]  # roles are literals
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate_all("all => all.includes(document.activeElement)"):
            return
    raise AssertionError(f"{role} {name!r} cannot be reached by keyboard")


def test_by_keyboard_alone_from_sign_in_to_a_verdict(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.go(SUBJECT + "versions")
    tab_to(page, "textbox", "User name")
    page.keyboard.type("bob")
    page.keyboard.press("Tab")
    page.keyboard.type(window.site.password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("orders-value")
    tab_to(page, "radio", "Compare from version 2")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Compare from version 1")).to_be_checked()
    tab_to(page, "radio", "Compare to version 3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"diff\?(from=1&to=3|to=3&from=1)$"))
    verdict = page.get_by_role("heading", name="Incompatible. Version 3 cannot replace version 1")
    expect(verdict).to_be_visible()


def test_the_skip_link_leads_past_the_bar(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go("/t/north/ns/default/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_each_stop_of_the_keyboard_shows_where_it_is(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go(SUBJECT + "diff?from=3&to=2")
    for _ in range(25):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML")


def test_the_search_swaps_the_table_and_keeps_the_address(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go("/t/north/ns/default/")
    page.evaluate("window.stayed = true")
    page.get_by_role("searchbox").press_sequentially("orders")
    expect(page.get_by_role("row")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"\?q=orders$"))
    expect(page.get_by_role("status")).to_have_text("2 subjects found")
    assert page.evaluate("window.stayed") is True
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "<" not in kept


def test_a_step_back_shows_the_whole_page_of_before(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go("/t/north/ns/default/")
    page.get_by_role("searchbox").press_sequentially("orders")
    expect(page).to_have_url(re.compile(r"\?q=orders$"))
    page.get_by_role("link", name="orders-value", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("orders-value")
    page.go_back()
    expect(page.get_by_role("row")).to_have_count(3)
    expect(page.get_by_role("banner")).to_be_visible()


def test_the_theme_changes_in_place_and_is_there_from_the_first_byte(visit: Callable[..., Visit]) -> None:
    window = visit("bob", color_scheme="light")
    page = window.go("/t/north/")
    with page.expect_response("**/theme"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    answer = page.request.get(window.site.url + "/t/north/")
    assert 'data-theme="dark"' in answer.text()


def test_copying_gives_the_text_without_line_numbers(visit: Callable[..., Visit]) -> None:
    window = visit("bob", permissions=["clipboard-read", "clipboard-write"])
    page = window.go(SUBJECT)
    page.get_by_role("button", name="Copy", exact=True).first.click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith('{\n  "type": "record",\n')
    page.get_by_role("button", name="Copy the name").click()
    assert page.evaluate("() => navigator.clipboard.readText()") == "orders-value"


def test_a_range_of_lines_has_an_address(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go(SUBJECT + "#L3-L5")
    expect(page.locator(".line.is-picked")).to_have_count(3)
    page.get_by_label("Line 7", exact=True).click()
    page.get_by_label("Line 8", exact=True).click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile(r"#L7-L8$"))
    expect(page.locator(".line.is-picked")).to_have_count(2)


def test_choosing_a_version_goes_there_at_once(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go(SUBJECT)
    page.get_by_label("Version", exact=True).select_option("1")
    expect(page).to_have_url(re.compile(r"\?v=1$"))
    expect(page.get_by_role("button", name="Show")).to_be_hidden()


def test_without_script_everything_reads_and_works(visit: Callable[..., Visit]) -> None:
    window = visit(java_script_enabled=False)
    page = window.go("/t/north/ns/default/")
    page.get_by_label("User name").fill("bob")
    page.get_by_label("Password").fill(window.site.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("searchbox").fill("orders")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="orders-value", exact=True).click()
    page.get_by_label("Version", exact=True).select_option("2")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"\?v=2$"))
    page.get_by_role("link", name="Versions 3").click()
    page.get_by_role("button", name="Compare the picked two").click()
    expect(page.get_by_role("heading", name=re.compile("^Incompatible"))).to_be_visible()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to Accord")


@pytest.mark.parametrize("view", ["split", "unified"])
def test_what_went_and_what_came_fit_a_narrow_window(visit: Callable[..., Visit], view: str) -> None:
    page = visit("bob", java_script_enabled=False).go(f"{SUBJECT}diff?from=1&to=3&view={view}")
    lines = page.get_by_role("region", name="Compared lines")
    for width in (320, 390, 900):
        page.set_viewport_size({"width": width, "height": 860})
        for kind in ("del", "ins"):
            boxes = [line.bounding_box() for line in page.locator(f".diff {kind}").all()]
            assert boxes
            assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert lines.evaluate("box => box.scrollWidth - box.clientWidth") == 0
        expect(lines.get_by_text('"name": "currency"')).to_have_count(1)


def test_a_wide_window_shows_both_sides_side_by_side(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go(SUBJECT + "diff?from=1&to=3&view=split")
    old, new = (page.locator(f".diff {kind}").first.bounding_box() for kind in ("del", "ins"))
    assert old
    assert new
    assert old["x"] + old["width"] < new["x"]


def test_the_open_tab_can_be_seen_in_a_narrow_window(visit: Callable[..., Visit]) -> None:
    page = visit("alice", width=390, height=844).go("/t/north/usage/")
    expect(page.get_by_role("link", name="Usage", exact=True)).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_picks_are_taken_along_from_page_to_page_without_script(visit: Callable[..., Visit]) -> None:
    page = visit("bob", java_script_enabled=False).go(FLEET)
    page.get_by_role("radio", name="Compare from version 60", exact=True).check()
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile(r"versions\?from=60&to=60&page=2$"))
    expect(page.get_by_role("radio", name="Compare from version 60")).to_be_checked()
    page.get_by_role("radio", name="Compare to version 1", exact=True).check()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("radio", name="Compare to version 1", exact=True)).to_be_checked()
    page.get_by_role("button", name="Compare the picked two").click()
    expect(page).to_have_url(re.compile(r"diff\?(from=60&to=1|to=1&from=60)$"))


def test_a_policy_is_checked_while_one_types(visit: Callable[..., Visit]) -> None:
    page = visit("alice").go(POLICIES + "orders-care/edit")
    text, numbers = page.get_by_role("textbox", name="Text"), page.locator(".editor__numbers li")
    expect(numbers).to_have_count(14)
    text.fill("name: orders-care\n\ndefault:\n  level: SIDEWARD\n")
    expect(page.get_by_role("status")).to_have_text("1 problem")
    expect(numbers).to_have_count(5)
    expect(numbers.nth(3)).to_have_class("is-wrong")
    page.get_by_role("link", name="line 4, column 10").click()
    expect(text).to_be_focused()
    picked = "box => box.value.slice(box.selectionStart, box.selectionEnd)"
    assert text.evaluate(picked) == "  level: SIDEWARD"
    page.keyboard.type("  level: NONE")
    expect(page.get_by_role("status")).to_have_text("Valid")
    expect(page.get_by_text("FULL_TRANSITIVE → NONE")).to_be_visible()
    expect(page.locator(".is-wrong")).to_have_count(0)


def test_the_search_is_one_key_away(visit: Callable[..., Visit]) -> None:
    page = visit("bob").go(SUBJECT)
    page.keyboard.press("Control+k")
    expect(page).to_have_url(re.compile(r"/t/north/search#q$"))
    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    page.keyboard.type("a/b")
    expect(box).to_have_value("a/b")
    box.blur()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("a/b")
