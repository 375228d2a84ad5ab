"""``accord policy level``: the level of a subject or a namespace, set with what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from accord.cli.advising import advice_lines
from accord.cli.output import heading, json_option, say, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.policies import set_level
from accord.model.levels import CONFLUENT_LEVELS
from accord.naming import parse_subject

if TYPE_CHECKING:
    from accord.client.namespaces import Document

CLEAR = "CLEAR"


@click.command()
@click.argument("level", type=click.Choice([*CONFLUENT_LEVELS, CLEAR], case_sensitive=False))
@click.argument("subject", required=False)
@url_option
@token_option
@json_option
def level(level: str, subject: str | None, **server: Unpack[Server]) -> None:
    """Set the LEVEL of SUBJECT, or of the namespace without one, as Confluent's own interface does.

    The answer says what is in force then: what may change and what may not, who must upgrade first, what
    one gives up, and which level would be better. CLEAR takes the level off again. Bounded levels and all
    else are matters of policies.
    """
    name = None if subject is None else str(parse_subject(subject))
    with open_client(server["url"], server["token"]) as client:
        found = set_level(client, None if level == CLEAR else level, name)
    if server["as_json"]:
        say_json(found)
        return
    for line in _lines(found, subject or "the namespace"):
        say(line)


def _lines(found: Document, place: str) -> list[str]:
    words = "has no level of its own" if found["level"] is None else f"has the level {found['level']}"
    return [heading(f"{place} {words}"), *advice_lines(found["advice"])]
