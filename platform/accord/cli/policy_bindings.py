"""``accord policy bind``, ``unbind``, ``in-force``: where policies count, and what then holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from accord.cli.advising import advice_lines
from accord.cli.options import format_option
from accord.cli.output import heading, json_option, one_line, say, say_json
from accord.cli.policy_places import at_option, entity_tag, place_words, reason_option
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client import RegistryInvalid
from accord.client import policies as stored
from accord.naming import parse_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.client import RegistryClient
    from accord.client.policies import Place
    from accord.model import Format

_ALWAYS_TOLD: Final = ("level", "preset")
_CHANGED: Final = "policy_changed"
_IF_MATCH: Final = "The change of the place that you replace, as list shows it; * for whichever there is."


@click.command()
@click.argument("name")
@at_option
@reason_option
@click.option("--if-match", type=entity_tag, metavar="CHANGE", help=f"{_IF_MATCH} Not where nothing is.")
@url_option
@token_option
@json_option
def bind(name: str, *, place: Place, reason: str, if_match: str | None, **server: Unpack[Server]) -> None:
    """Bind the policy NAME to a place, instead of what was bound there.

    From then on it decides, value by value, unless something nearer to a subject does. The answer says what
    this means.
    """
    with open_client(server["url"], server["token"]) as client:
        bound = _bound(client, name, place, reason=reason, if_match=if_match)
    if server["as_json"]:
        say_json(bound)
        return
    where = place_words(bound["place"], bound["namespace"])
    say(heading(f"{bound['policy']} version {bound['version']} is bound to {where}"))
    for line in advice_lines(bound["advice"]):
        say(line)


@click.command()
@at_option
@reason_option
@click.option("--if-match", type=entity_tag, metavar="CHANGE", required=True, help=_IF_MATCH)
@url_option
@token_option
@json_option
def unbind(*, place: Place, reason: str, if_match: str, **server: Unpack[Server]) -> None:
    """Take off the policy that is bound to a place."""
    with open_client(server["url"], server["token"]) as client:
        stored.unbind_policy(client, place, if_match=if_match, reason=reason)
    if server["as_json"]:
        say_json({"place": place.document, "policy": None})
    else:
        say(one_line(f"no policy is bound to {place} any more"))


@click.command("in-force")
@click.argument("subject", required=False)
@format_option
@url_option
@token_option
@json_option
def in_force(subject: str | None, *, format_: Format | None, **server: Unpack[Server]) -> None:
    """Tell what is in force for SUBJECT, where each value comes from, and what it means.

    The subject need not exist; without one it is what holds for the namespace. Values that nobody set are
    left out, but for level and preset.
    """
    name = None if subject is None else str(parse_subject(subject))
    with open_client(server["url"], server["token"]) as client:
        found = stored.policy_in_force(client, name, None if format_ is None else str(format_))
    if server["as_json"]:
        say_json(found)
        return
    for line in _lines(found):
        say(line)


def _bound(
    client: RegistryClient, name: str, place: Place, *, reason: str, if_match: str | None
) -> dict[str, Any]:
    try:
        return stored.bind_policy(client, name, place, reason=reason, if_match=if_match)
    except RegistryInvalid as problem:
        if if_match is not None or problem.error_code != _CHANGED:
            raise
        words = (
            f"a policy is bound to {place}; say with --if-match which change you replace, as list shows it"
        )
        raise RegistryInvalid(problem.status, problem.error_code, words) from problem


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield heading(f"{found['subject'] or 'the namespace'} ({found['format']})")
    for name, one in {**found["values"], **found["config"]}.items():
        if name in _ALWAYS_TOLD or one["origin"]["kind"] != "installation":
            yield one_line(f"  {name} {_value(one['value'])} ({one['origin']['words']})")
    yield from advice_lines({found["format"]: found["advice"]})


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
