"""Places that policies are bound to, and the version a change is made for, as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from accord.client.policies import REACHES, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    _Decorator = Callable[[Callable[..., None]], Callable[..., None]]

_NAMED: Final = frozenset({"prefix", "subject"})
AT: Final = "REACH[:NAME]"
AT_HELP: Final = "tenant, namespace, prefix:NAME or subject:NAME."


def place(_ctx: object, _option: object, text: str | None) -> Place | None:
    """Read ``REACH`` or ``REACH:NAME``."""
    if text is None:
        return None
    reach, _, name = text.partition(":")
    if reach not in REACHES:
        raise click.BadParameter(f"{text!r} begins with none of {', '.join(REACHES)}")
    if (reach in _NAMED) != bool(name):
        raise click.BadParameter(f"write {reach}:NAME" if reach in _NAMED else f"{reach} has no name")
    return Place(reach, name)


def place_words(place: Mapping[str, str], namespace: str | None) -> str:
    """A place as a registry tells it, in words."""
    where = f" in {namespace}" if place["reach"] in _NAMED else ""
    return f"{place['reach']} {place['name']}{where}"


def entity_tag(text: str) -> str:
    """Read what a change is made for: a version, or ``*`` for whatever there is."""
    bare = text.strip('"')
    if not bare or not bare.isascii() or not bare.isprintable() or '"' in bare:
        raise click.BadParameter(f"{text!r} is neither a version nor *")
    return bare if bare == "*" else f'"{bare}"'


at_option: _Decorator = click.option("--at", "place", callback=place, metavar=AT, required=True, help=AT_HELP)
reason_option: _Decorator = click.option("--reason", default="", help="Why; it is kept for good.")
