"""Schemas of all three formats as teams write them, in families that grow by one optional field a version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from accord.model import Format, SchemaText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VERSIONS: Final = 3
THINGS: Final = (
    "Order", "Invoice", "Payment", "Shipment", "Customer", "Refund", "Cart", "Parcel", "Ticket", "Booking",
    "Delivery", "Return", "Voucher", "Session", "Device", "Account", "Contract", "Supplier", "Depot", "Price",
)  # fmt: skip
EVENTS: Final = ("Created", "Changed", "Cancelled")
FORMATS: Final = (Format.AVRO, Format.AVRO, Format.JSON, Format.AVRO, Format.PROTOBUF)
# Name, what it says, type in Avro, in JSON Schema and in Protobuf.
FIELDS: Final = (
    ("id", "What it is called everywhere", "string", "string", "string"),
    ("customer_id", "Whose it is", "string", "string", "string"),
    ("amount_cents", "How much, in cents", "long", "integer", "int64"),
    ("currency", "The code of the currency, ISO 4217", "string", "string", "string"),
    ("created_at", "When it came about, in milliseconds", "long", "integer", "int64"),
    ("country_code", "Where, ISO 3166", "string", "string", "string"),
    ("email", "Where to write to", "string", "string", "string"),
    ("is_test", "Whether it counts", "boolean", "boolean", "bool"),
    ("discount_rate", "What is taken off", "double", "number", "double"),
    ("postal_code", "The code of the place", "string", "string", "string"),
)
FIRST: Final = 5


class Family(NamedTuple):
    """A line of versions: what a subject of it is called, and its texts in order."""

    name: str
    texts: tuple[SchemaText, ...]


def families() -> Iterator[Family]:
    """Yield every family, always in the same order."""
    for at, (thing, event) in enumerate((one, two) for one in THINGS for two in EVENTS):
        form = FORMATS[at % len(FORMATS)]
        more = range(FIRST + VERSIONS - 2)
        chosen = [FIELDS[0], *(FIELDS[1 + (at * 3 + step) % (len(FIELDS) - 1)] for step in more)]
        texts = (
            SchemaText(form, _text(form, thing + event, chosen[: FIRST + grown])) for grown in range(VERSIONS)
        )
        yield Family(f"{thing.lower()}-{event.lower()}", tuple(texts))


def _text(form: Format, name: str, fields: Sequence[tuple[str, ...]]) -> str:
    if form is Format.PROTOBUF:
        lines = [f"  optional {kind} {label} = {at};" for at, (label, *_, kind) in enumerate(fields, start=1)]
        return "\n".join(['syntax = "proto3";', "package shop;", f"message {name} {{", *lines, "}", ""])
    return json.dumps(_avro(name, fields) if form is Format.AVRO else _json(name, fields))


def _avro(name: str, fields: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    optional = [
        {"name": label, "doc": doc, "type": ["null", kind], "default": None}
        for label, doc, kind, *_ in fields[1:]
    ]
    first = {"name": fields[0][0], "doc": fields[0][1], "type": fields[0][2]}
    return {"type": "record", "name": name, "namespace": "shop", "fields": [first, *optional]}


def _json(name: str, fields: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    members = {label: {"type": kind, "description": doc} for label, doc, _, kind, _ in fields}
    return {"type": "object", "title": name, "properties": members, "required": [fields[0][0]]}
