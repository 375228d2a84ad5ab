"""The theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client


def test_the_theme_is_kept_in_a_cookie_and_drawn_by_the_server(client: Client, db: None) -> None:
    answer = client.post("/theme", {"theme": "dark", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert b'data-theme="dark"' in client.get("/rules/").content


def test_a_script_that_changed_the_theme_needs_no_page(client: Client, db: None) -> None:
    answer = client.post("/theme", {"theme": "light"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.cookies["accord_theme"].value == "light"


@pytest.mark.parametrize("theme", ["", "neon", '"><script>'])
def test_a_theme_of_nonsense_is_the_machines(client: Client, db: None, theme: str) -> None:
    client.cookies["accord_theme"] = theme
    assert b'data-theme="system"' in client.get("/rules/").content
