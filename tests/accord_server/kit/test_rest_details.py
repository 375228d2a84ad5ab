"""What the REST framework objects to, told place by place and without a trace of Python."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.exceptions import NotFound, ValidationError

from accord_server.kit.error_tables import Flaw
from accord_server.kit.rest_details import LONGEST_MESSAGE, SHOWN, flaws_of, message_of, pointer_of


def told(detail: Any) -> tuple[list[tuple[str, str]], str]:
    """Pointers with their sentences, and the line for people."""
    error = ValidationError(detail)
    flaws = flaws_of(error)
    return [(pointer_of(flaw), flaw.message) for flaw in flaws], message_of(error, flaws)


@pytest.mark.parametrize(
    ("detail", "flaws", "line"),
    [
        ("Bad.", [("#", "Bad.")], "Bad."),
        (["Bad.", "Worse."], [("#", "Bad."), ("#", "Worse.")], "Bad.; Worse."),
        ({"name": ["Bad."]}, [("#/name", "Bad.")], "name: Bad."),
        (
            {"references": {0: {"version": ["Bad."]}, 2: ["Worse."]}},
            [("#/references/0/version", "Bad."), ("#/references/2", "Worse.")],
            "references/0/version: Bad.; references/2: Worse.",
        ),
        ({"all": [{}, {"name": ["Bad."]}]}, [("#/all/1/name", "Bad.")], "all/1/name: Bad."),
        ({"non_field_errors": ["Bad."]}, [("#", "Bad.")], "Bad."),
        ({"a/b~c": ["Bad."]}, [("#/a~1b~0c", "Bad.")], "a/b~c: Bad."),
    ],
)
def test_details_are_flattened(detail: Any, flaws: list[tuple[str, str]], line: str) -> None:
    assert told(detail) == (flaws, line)


def test_each_flaw_has_its_code() -> None:
    (flaw,) = flaws_of(ValidationError({"name": ["Missing."]}, code="required"))
    assert flaw == Flaw(("name",), "Missing.", "required")


def test_nobody_is_told_everything_about_a_hostile_body() -> None:
    flaws = flaws_of(ValidationError({str(number): ["x" * 1000] for number in range(100)}))
    assert len(flaws) == SHOWN
    assert {len(flaw.message) for flaw in flaws} == {LONGEST_MESSAGE}


def test_what_is_not_about_the_body_is_one_sentence() -> None:
    error = NotFound("Gone.")
    assert (flaws_of(error), message_of(error, ())) == ((), "Gone.")
