"""Templates that do not compile or do not nest are found at their line."""

from __future__ import annotations

import pytest
from django.template import Engine

from tests.house.templates import main, markup_mistakes, mistakes


@pytest.mark.parametrize(
    "text",
    [
        "<p>{% if a < b %}<b>x</b>{% endif %}</p>",
        "<ul>{% for a in b %}<li id='{{ a }}'>{{ a }}</li>{% endfor %}</ul>",
        "<svg><path d=''/></svg><br><input name='a'>",
    ],
)
def test_sound_markup_passes(text: str) -> None:
    assert markup_mistakes(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>\n<b></p>", [(2, "</p> closes nothing"), (1, "<p> is not closed"), (2, "<b> is not closed")]),
        ("{% if\n a %}\n</p>", [(3, "</p> closes nothing")]),
        ("<p id='a'></p>\n<p id='a'></p>", [(2, "id 'a' is there twice")]),
    ],
)
def test_unsound_markup_is_named_with_its_line(text: str, found: list[tuple[int, str]]) -> None:
    assert markup_mistakes(text) == found


def test_a_template_that_does_not_compile_is_named() -> None:
    (found,) = mistakes("a.html", "{% if a %}", Engine())
    assert found.startswith("a.html:1: Unclosed tag on line 1: 'if'")


def test_an_element_without_content_may_close_itself() -> None:
    assert markup_mistakes("<svg><path d=''/></svg><br/>") == []


def test_the_exit_code_tells_of_mistakes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main() == 0
    assert capsys.readouterr().out.endswith("templates: nothing found\n")
    monkeypatch.setattr("tests.house.templates.templates", lambda: [("a.html", "<p>")])
    assert main() == 1
    assert capsys.readouterr().out == "a.html:1: <p> is not closed\n"
