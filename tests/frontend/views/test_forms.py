"""The forms in which a definition can be shown."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from accord.errors import CompilerUnavailable
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.frontend.conftest import Register, SignedIn

PAGE = "/t/north/ns/default/s/members-value/-/"


def printed(client: Client, form: str = "", place: str = PAGE) -> str:
    """The text as the page prints it."""
    page = text_of(client, f"{place}?form={form}")
    code = page.partition('id="definition"><code>')[2].partition("</code>")[0]
    return html.unescape(re.sub(r"<[^>]+>", "", code))


@pytest.mark.usefixtures("with_reference")
def test_a_text_is_shown_in_each_form(as_bob: Client) -> None:
    assert '\n  "name": ' in printed(as_bob)
    assert printed(as_bob, "canonical").startswith('{"type":"record","name":')
    assert '"symbols"' in printed(as_bob, "resolved")
    assert '"symbols"' not in printed(as_bob, "canonical")
    assert printed(as_bob, "parsing").startswith('{"name":')
    # What no form is called is the readable one.
    assert printed(as_bob, "serialized") == printed(as_bob, "nonsense") == printed(as_bob)


def test_what_normalizing_sorts(as_bob: Client, register: Register) -> None:
    register("odd-value", '{"type": "string", "b": 1, "a": 2}')
    place = PAGE.replace("members", "odd")
    assert printed(as_bob, "canonical", place).strip() == '{"type":"string","b":1,"a":2}'
    spread = "".join(printed(as_bob, "normalized", place).split())
    assert spread == '{"type":"string","a":2,"b":1}'


@pytest.mark.usefixtures("with_reference")
def test_the_page_leads_to_each_form_and_marks_the_one_shown(as_bob: Client) -> None:
    page = text_of(as_bob, f"{PAGE}?form=resolved")
    links = dict(re.findall(r'class="segment" href="([^"]+)"( aria-current="true")?', page))
    assert [one.partition("form=")[2] for one in links] == [
        "",
        "canonical",
        "normalized",
        "parsing",
        "resolved",
    ]
    assert [bool(mark) for mark in links.values()] == [False, False, False, False, True]


@pytest.mark.usefixtures("with_reference")
def test_what_may_not_be_read_is_not_written_out(signed_in: SignedIn) -> None:
    erin = signed_in("erin", "developer", "members-*")
    page = text_of(erin, f"{PAGE}?form=resolved")
    assert "refers to one that you may not read" in page
    assert "GOLD" not in page


@pytest.mark.usefixtures("with_reference")
def test_a_form_that_cannot_be_made_just_now(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise CompilerUnavailable("the compiler is not there")

    monkeypatch.setattr("frontend.views.subjects.version_spelled", refuse)
    page = text_of(as_bob, f"{PAGE}?form=resolved")
    assert "the compiler is not there" in page
    assert '"name"' in html.unescape(re.sub(r"<[^>]+>", "", page))
