"""``accord webhook``: who is told what happens in a namespace, and what became of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from accord.cli.output import heading, json_option, one_line, say, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.webhooks import (
    change_webhook,
    delete_webhook,
    make_webhook,
    replay_message,
    roll_webhook,
    try_webhook,
    webhook_message,
    webhook_messages,
    webhooks,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

STATES: Final = ("pending", "delivered", "failed")
ID: Final = click.argument("webhook_id", type=click.UUID)
NUMBER: Final = click.argument("message", type=click.IntRange(min=1))
EVENTS: Final = click.option(
    "--event",
    "events",
    multiple=True,
    help="Tell of this event; may be repeated. Of all in the namespace unless given.",
)


@click.group()
def webhook() -> None:
    """Have somebody told what happens in a namespace.

    The address ends in /sr/TENANT/NAMESPACE.
    """


@webhook.command()
@click.argument("address")
@EVENTS
@click.option("--description", default="", help="What it is for.")
@url_option
@token_option
@json_option
def create(address: str, *, events: tuple[str, ...], description: str, **server: Unpack[Server]) -> None:
    """Tell ADDRESS from now on. The secret that its calls are signed with is printed this once."""
    wanted: dict[str, Any] = {"url": address, "description": description}
    if events:
        wanted["events"] = list(events)
    with open_client(server["url"], server["token"]) as client:
        _tell([make_webhook(client, wanted)], as_json=server["as_json"])


@webhook.command("list")
@url_option
@token_option
@json_option
def list_(**server: Unpack[Server]) -> None:
    """List the webhooks of the namespace."""
    with open_client(server["url"], server["token"]) as client:
        found = list(webhooks(client))
    if server["as_json"]:
        say_json(found)
    else:
        _tell(found, as_json=False)


@webhook.command()
@ID
@click.option("--url-to-call", "address", help="Call another address.")
@EVENTS
@click.option("--enable/--disable", "enabled", default=None, help="Send to it, or send nothing for now.")
@url_option
@token_option
@json_option
def change(
    webhook_id: object,
    *,
    address: str | None,
    events: tuple[str, ...],
    enabled: bool | None,
    **server: Unpack[Server],
) -> None:
    """Change what is named of the webhook WEBHOOK_ID."""
    named = {"url": address, "events": list(events) or None, "enabled": enabled}
    wanted: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if not wanted:
        raise click.UsageError("Name what is to change: --url-to-call, --event, --enable or --disable.")
    with open_client(server["url"], server["token"]) as client:
        _tell([change_webhook(client, str(webhook_id), wanted)], as_json=server["as_json"])


@webhook.command()
@ID
@url_option
@token_option
@json_option
def roll(webhook_id: object, **server: Unpack[Server]) -> None:
    """Give it another secret, printed this once; the one before signs beside it for a day."""
    with open_client(server["url"], server["token"]) as client:
        _tell([roll_webhook(client, str(webhook_id))], as_json=server["as_json"])


@webhook.command()
@ID
@url_option
@token_option
def delete(webhook_id: object, *, url: str, token: str | None) -> None:
    """Delete the webhook with its messages."""
    with open_client(url, token) as client:
        delete_webhook(client, str(webhook_id))
    say(f"webhook {webhook_id} is deleted")


@webhook.command("try")
@ID
@url_option
@token_option
@json_option
def try_(webhook_id: object, **server: Unpack[Server]) -> None:
    """Send a message that says nothing, to see whether one arrives."""
    with open_client(server["url"], server["token"]) as client:
        _tell_messages([try_webhook(client, str(webhook_id))], as_json=server["as_json"])


@webhook.command()
@ID
@click.option("--state", type=click.Choice(STATES), default=None, help="Only those in this state.")
@url_option
@token_option
@json_option
def messages(webhook_id: object, *, state: str | None, **server: Unpack[Server]) -> None:
    """List the messages to it, newest first."""
    with open_client(server["url"], server["token"]) as client:
        found = list(webhook_messages(client, str(webhook_id), state or ""))
    if server["as_json"]:
        say_json(found)
    else:
        _tell_messages(found, as_json=False)


@webhook.command()
@ID
@NUMBER
@url_option
@token_option
@json_option
def message(webhook_id: object, message: int, **server: Unpack[Server]) -> None:
    """Show one message: what is sent, and every attempt."""
    with open_client(server["url"], server["token"]) as client:
        found = webhook_message(client, str(webhook_id), message)
    _tell_messages([found], as_json=server["as_json"])


@webhook.command()
@ID
@NUMBER
@url_option
@token_option
@json_option
def replay(webhook_id: object, message: int, **server: Unpack[Server]) -> None:
    """Send a message again that was delivered or given up."""
    with open_client(server["url"], server["token"]) as client:
        _tell_messages([replay_message(client, str(webhook_id), message)], as_json=server["as_json"])


def _tell(found: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        say_json(found[0])
        return
    for one in found:
        for line in _lines(one):
            say(line)


def _lines(one: dict[str, Any]) -> Iterator[str]:
    yield heading(f"{one['id']} {'on' if one['enabled'] else 'off'}: {one['url']}")
    yield one_line(f"  told of {', '.join(one['events'])}")
    for said in (one["description"], one["disabled_because"]):
        if said:
            yield one_line(f"  {said}")
    if "secret" in one:
        yield f"  secret {one['secret']}"


def _tell_messages(found: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        say_json(found[0])
        return
    for one in found:
        for line in _message_lines(one):
            say(line)


def _message_lines(one: dict[str, Any]) -> Iterator[str]:
    when = f", next {one['due_at']}" if one["due_at"] else f", {one['ended_at']}"
    yield heading(f"{one['id']} {one['state']}: {one['event']}{when}")
    for tried in one.get("tried", ()):
        answered = f"answered {tried['status']} in {tried['milliseconds']} ms"
        yield one_line(f"  {tried['at']} {answered if tried['status'] else tried['error']}")
