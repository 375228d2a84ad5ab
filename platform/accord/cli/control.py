"""``accord tenants`` and what else manages tenants, their people, roles and tokens.

Each verb is made from its row in `accord.cli.control_table`.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any, Final

import click

from accord.cli.control_table import GROUPS
from accord.cli.output import json_option, one_line, say, say_json
from accord.cli.server import open_client, pair, token_option, url_option
from accord.client.control import ANY_VERSION, Change, change, listed, place, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.cli.control_rows import Group, Option, Verb
    from accord.client import RegistryClient

# Shown this once, and therefore alone on the output.
SECRET: Final = "token"  # noqa: S105 - the name of a member
tenant_option: Final = click.option(
    "--tenant",
    envvar="ACCORD_TENANT",
    help="The tenant, unless the address ends in /sr/TENANT/NAMESPACE; or ACCORD_TENANT.",
)
if_match_option: Final = click.option(
    "--if-match", default=ANY_VERSION, help="Only if the thing is at this version still: its ETag."
)
# What a member of the body is a part of, where that is a list.
LISTS: Final = frozenset({"grants", "bindings"})


def limit(text: str) -> int | str:
    """Read a number, ``none`` for no limit, or nothing for what counts without."""
    if text in {"", "none"}:
        return 0 if text else ""
    if not (text.isascii() and text.isdigit()):
        raise click.BadParameter(f"{text!r} is neither a number nor none")
    return int(text)


def group_of(group: Group) -> click.Group:
    """The command of a group with its verbs."""
    found = click.Group(group.name, help=group.help)
    for verb in group.verbs:
        found.add_command(command_of(verb))
    return found


def command_of(verb: Verb) -> click.Command:
    """The command of a verb."""

    def run(**given: Any) -> None:
        url, token, as_json = given.pop("url"), given.pop("token"), given.pop("as_json")
        with open_client(url, token) as client:
            if verb.columns:
                found = list(_listed(client, verb, given))
                say_json(found) if as_json else _say_rows(verb, found)
            else:
                one = _done(client, verb, given)
                say_json(one) if as_json else _say_one(one)

    command = click.command(verb.name, help=verb.help)(run)
    for add in (url_option, token_option, json_option):
        add(command)
    if not verb.is_server_wide:
        tenant_option(command)
    if verb.needs_version:
        if_match_option(command)
    command.params = [*map(_argument, _names(verb)), *map(_option, verb.options), *command.params]
    return command


def _names(verb: Verb) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(verb.path) if name]


def _argument(name: str) -> click.Argument:
    return click.Argument([name])


def _option(option: Option) -> click.Option:
    types: dict[str, Any] = {
        "number": click.IntRange(min=1),
        "limit": limit,
        "flag": click.BOOL,
        "pairs": pair,
    }
    return click.Option(
        [f"--{option.name}", _variable(option)],
        type=types.get(option.kind),
        multiple=option.kind in {"list", "pairs"},
        required=option.is_required,
        help=option.help,
    )


def _variable(option: Option) -> str:
    # An argument of the path may have the name of an option.
    return f"_{option.name.replace('-', '_')}"


def _listed(client: RegistryClient, verb: Verb, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    tenant, _, asked = _taken(verb, given)
    query = {name: str(value) for name, value in asked.items()}
    yield from listed(client, place(verb.path, given), query, tenant=tenant)


def _done(client: RegistryClient, verb: Verb, given: dict[str, Any]) -> dict[str, Any]:
    tenant, version, asked = _taken(verb, given)
    path = place(verb.path, given)
    if verb.method in {"GET", "DELETE"}:
        query = {name: str(value) for name, value in asked.items()}
        if verb.method == "GET":
            return read(client, path, query, tenant=tenant)
        return change(client, Change(verb.method, path, query=query, version=version), tenant=tenant)
    return change(client, Change(verb.method, path, asked, version=version), tenant=tenant)


def _taken(verb: Verb, given: dict[str, Any]) -> tuple[str | None, str, dict[str, Any]]:
    """Take tenant, version and members out of what was given; the names of the path are left."""
    tenant = "" if verb.is_server_wide else given.pop("tenant")
    version = given.pop("if_match", "")
    body: dict[str, Any] = {}
    for option in verb.options:
        value = given.pop(_variable(option))
        if value not in (None, ()):
            _put(body, (option.member or option.name.replace("-", "_")).split("."), _sent(option, value))
    return tenant, version, {name: [one] if name in LISTS else one for name, one in body.items()}


def _put(body: dict[str, Any], path: list[str], value: object) -> None:
    *outer, last = path
    for name in outer:
        body = body.setdefault(name, {})
    body[last] = value


def _sent(option: Option, value: Any) -> Any:  # noqa: ANN401 - whatever the option is
    if option.kind == "pairs":
        return dict(value)
    return list(value) if option.kind == "list" else value if value != "" else None


def _say_rows(verb: Verb, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        say(one_line("  ".join(_shown(row.get(name)) for name in verb.columns)))


def _say_one(one: Mapping[str, Any]) -> None:
    """Print a thing; a secret stands alone on the output, and the rest beside it."""
    for name, value in one.items():
        if name != SECRET:
            click.echo(one_line(f"{name}: {_shown(value)}"), err=SECRET in one)
    if SECRET in one:
        say(_shown(one[SECRET]))


def _shown(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_shown, value)) or "-"
        case dict():
            return " ".join(f"{name}={_shown(inner)}" for name, inner in value.items()) or "-"
    return str(value)


control_groups: Final = tuple(map(group_of, GROUPS))
