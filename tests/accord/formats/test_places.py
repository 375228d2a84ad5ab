from __future__ import annotations

from accord.formats.places import pointer_token, shown, shown_pointer


def test_tokens_are_escaped_as_json_pointers_are() -> None:
    assert pointer_token("a/b~c") == "a~1b~0c"


def test_long_names_are_cut_and_foreign_characters_escaped() -> None:
    assert shown("x\n\u202e") == "'x\\n\\u202e'"
    assert shown("n" * 500) == f"'{'n' * 80}...'"


def test_long_pointers_lose_their_middle() -> None:
    assert shown_pointer("") == "/"
    assert shown_pointer("/a") == "/a"
    assert shown_pointer("/fields" * 100) == f"{('/fields' * 100)[:120]}...{('/fields' * 100)[-120:]}"
