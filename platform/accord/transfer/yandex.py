"""What Yandex Schema Registry has besides Confluent's interface: namespaces, and rules for each format.

Its manual names the calls and what can be chosen, not the shape of the answers: so the choices are looked for
by their names wherever they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.client import RegistryDenied, RegistryRefusal, RegistryUnreadable
from accord.client.transport import Request
from accord.transfer.lines import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.client import RegistryClient
    from accord.client.transport import Json

RULES: Final = "yandex.compatibilityRules"
NAMESPACES: Final = "yandex.namespaces"
_TEXT: Final = """\
name: {name}
description: What this namespace was judged by in Yandex Schema Registry.
formats:
  avro: {{preset: confluent:8.1}}
  json: {{preset: {json}}}
  protobuf: {{preset: {protobuf}}}
"""
_CALLS: Final = {RULES: "/compatibility/rules", NAMESPACES: "/v1/namespace"}


def read_extras(client: RegistryClient) -> dict[str, Json]:
    """What the registry tells of them by name; nothing where it is another product.

    Raises `accord.transfer.lines.Unfit` for what no export can hold.
    """
    extras: dict[str, Json] = {}
    for name, path in _CALLS.items():
        try:
            extras[name] = ordered(client.send(Request("GET", path)).body)
        except RegistryDenied:
            raise
        except (RegistryRefusal, RegistryUnreadable):
            continue
    return extras


def named_policy(extras: Mapping[str, Json]) -> tuple[str, str] | None:
    """The policy of Accord that judges as the namespace did, by name and text; None where nothing is told.

    JSON Schema is judged by Confluent's rules or Optional-friendly, Protobuf by Confluent's or Buf's, Avro
    always as Confluent does; the level is that of the config. Which of Buf's categories counted is told
    nowhere; ``FILE`` is what Buf itself takes unless it is told otherwise.
    """
    if RULES not in extras:
        return None
    chosen = {*_words(extras[RULES])}
    is_buf = any(word.endswith("buf") and not word.endswith("protobuf") for word in chosen)
    is_friendly = any(word.endswith("optionalfriendly") for word in chosen)
    parts = [name for name, counts in (("buf", is_buf), ("optional-friendly", is_friendly)) if counts]
    name = "-".join(["yandex", *(parts or ["confluent"])])
    json_preset = "optional-friendly:1" if is_friendly else "confluent:8.1"
    protobuf_preset = "buf:v1:FILE" if is_buf else "confluent:8.1"
    return name, _TEXT.format(name=name, json=json_preset, protobuf=protobuf_preset)


def other_namespaces(extras: Mapping[str, Json]) -> list[str]:
    """The namespaces that the registry tells of, each as its name and id."""
    told = extras.get(NAMESPACES)
    listed = (
        next((one for one in told.values() if isinstance(one, list)), []) if isinstance(told, dict) else told
    )
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [" ".join(str(one[name]) for name in ("name", "id") if name in one) for one in found]


def _words(value: Json) -> Iterator[str]:
    """Every text of a JSON value, of its letters only."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _words(one)
    elif isinstance(value, list):
        for one in value:
            yield from _words(one)
    elif isinstance(value, str):
        yield "".join(letter for letter in value.lower() if letter.isalpha())
