"""``accord policy list``, ``show``, ``put``, ``history``, ``revert``: the stored policies of a tenant."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypedDict, Unpack

import click

from accord.cli.advising import advice_lines
from accord.cli.deciding import LARGEST_POLICY, usable
from accord.cli.files import read_text
from accord.cli.output import heading, json_option, one_line, plain, say, say_json
from accord.cli.policy_places import AT, entity_tag, place, place_words, reason_option
from accord.cli.server import Server, open_client, optional_url_option, token_option, url_option
from accord.client import RegistryConflict
from accord.client import policies as stored
from accord.errors import NotFound, error
from accord.policy.documents import read_document
from accord.policy.documents.templates import TEMPLATES, template_text

if TYPE_CHECKING:
    from accord.client import RegistryClient
    from accord.client.namespaces import Document
    from accord.client.policies import Place

_EXISTS: Final = "policy_exists"
_IF_MATCH: Final = "The version that you changed, so that nobody's work is lost; * for whichever there is."


@error
class TemplateNotFound(NotFound):
    """No template has this name."""

    code: ClassVar[str] = "template_not_found"
    template: ClassVar[str] = "there is no template {name!r}; there are {known}"
    name: str
    known: str


class Shown(TypedDict):
    """What is shown, and in which form."""

    version: int | None
    is_template: bool
    as_json: bool


@click.command("list")
@url_option
@token_option
@json_option
def list_(*, url: str, token: str | None, as_json: bool) -> None:
    """List the policies of the tenant, and where each is bound."""
    with open_client(url, token) as client:
        found, bound = list(stored.policies(client)), defaultdict(list)
        for one in stored.bindings(client):
            bound[one["policy"]].append(one)
    if as_json:
        say_json([{**one, "bindings": bound[one["name"]]} for one in found])
        return
    for one in found:
        say(heading(f"{one['name']} version {one['version']}"))
        for at in bound[one["name"]]:
            say(one_line(f"  bound to {_place(at)}"))


@click.command()
@click.argument("name")
@click.option("--version", type=click.IntRange(1), help="Which version; the newest unless given.")
@click.option("--template", "is_template", is_flag=True, help="The template, whatever the tenant has stored.")
@optional_url_option
@token_option
@json_option
def show(name: str, *, url: str | None, token: str | None, **shown: Unpack[Shown]) -> None:
    """Print the stored policy NAME as it was written, and tell its version on stderr.

    Without an address, or with --template, it is one that ships with Accord: queue-safe, drop-in or api.
    """
    if url is None or shown["is_template"]:
        _show_template(name, as_json=shown["as_json"])
        return
    with open_client(url, token) as client:
        found = stored.policy(client, name, shown["version"])
    if shown["as_json"]:
        say_json(found)
    else:
        click.echo(_changed(found), err=True)
        say(plain(str(found["source"])).rstrip("\n"))


@click.command()
@click.argument("file")
@reason_option
@click.option("--if-match", type=entity_tag, metavar="VERSION", help=f"{_IF_MATCH} Not for a new policy.")
@url_option
@token_option
@json_option
def put(file: str, *, reason: str, if_match: str | None, **server: Unpack[Server]) -> None:
    """Store the policy in FILE, which names it: a new one, or the next version of one.

    A change counts at once wherever the policy is bound; the answer says what it means.
    """
    is_json = file.endswith(".json")
    text = read_text(file, LARGEST_POLICY)
    name = usable(file, read_document(text, is_json=is_json)).name
    written = stored.PolicyWritten(text, is_json, reason)
    with open_client(server["url"], server["token"]) as client:
        if if_match is None:
            made = _created(client, name, written)
        else:
            made = stored.replace_policy(client, name, written, if_match=if_match)
    _tell_stored(made, as_json=server["as_json"])


@click.command()
@click.argument("name", required=False)
@click.option("--at", "place", callback=place, metavar=AT, help="Instead of NAME: what was bound to a place.")
@url_option
@token_option
@json_option
def history(name: str | None, *, place: Place | None, **server: Unpack[Server]) -> None:
    """Tell who changed the policy NAME, or what is bound to a place, when and why, newest first."""
    with open_client(server["url"], server["token"]) as client:
        if name is not None and place is None:
            found = list(stored.policy_versions(client, name))
        elif place is not None and name is None:
            found = list(stored.binding_changes(client, place))
        else:
            raise click.UsageError("Give one of NAME and --at.")
    if server["as_json"]:
        say_json(found)
        return
    for one in found:
        say(_changed(one) if place is None else _rebound(one))


@click.command()
@click.argument("name")
@click.argument("version", type=click.IntRange(1))
@reason_option
@click.option("--if-match", type=entity_tag, metavar="VERSION", required=True, help=_IF_MATCH)
@url_option
@token_option
@json_option
def revert(name: str, version: int, *, reason: str, if_match: str, **server: Unpack[Server]) -> None:
    """Store the content of an older VERSION of the policy NAME as its next one."""
    with open_client(server["url"], server["token"]) as client:
        made = stored.revert_policy(client, name, version, reason=reason, if_match=if_match)
    _tell_stored(made, as_json=server["as_json"])


def _show_template(name: str, *, as_json: bool) -> None:
    if name not in TEMPLATES:
        raise TemplateNotFound(name=name, known=", ".join(TEMPLATES))
    text = template_text(name)
    if as_json:
        say_json({"name": name, "source": text})
    else:
        say(text.rstrip("\n"))


def _created(client: RegistryClient, name: str, written: stored.PolicyWritten) -> Document:
    try:
        return stored.create_policy(client, written)
    except RegistryConflict as problem:
        if problem.error_code != _EXISTS:
            raise
        words = f"there is a policy {name!r}; say with --if-match which version of it you changed"
        raise RegistryConflict(problem.status, problem.error_code, words) from problem


def _tell_stored(made: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(made)
        return
    say(_changed(made))
    for line in advice_lines(made["advice"]):
        say(line)


def _changed(one: dict[str, Any]) -> str:
    """Who made a version, when and why."""
    said = [f"{one['name']} version {one['version']}, {one['created_at']}, {one['created_by']}"]
    if one["reverted_from"]:
        said.append(f", the content of version {one['reverted_from']}")
    if one["reason"]:
        said.append(f": {one['reason']}")
    return one_line("".join(said))


def _rebound(one: dict[str, Any]) -> str:
    """Who bound what to a place, when and why."""
    what = "nothing" if one["policy"] is None else one["policy"]
    reason = f": {one['reason']}" if one["reason"] else ""
    return one_line(f"change {one['number']} to {what}, {one['created_at']}, {one['created_by']}{reason}")


def _place(binding: dict[str, Any]) -> str:
    return f"{place_words(binding['place'], binding['namespace'])} by change {binding['number']}"
