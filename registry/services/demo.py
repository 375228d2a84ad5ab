"""Data worth looking at for a fresh installation: a small shop's topics and how they evolved."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from accord.model import DEFAULT_CONTEXT, Format, Reference, SchemaText
from accord.naming import split_subject
from registry.queries.schemas import highest_id
from registry.records import RegisterVersion
from registry.services.configuration import LEVEL, change_config
from registry.services.demo_modules import seed_modules
from registry.services.registration import register_version

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

Schema = dict[str, Any] | list[Any] | str


@dataclass(frozen=True, slots=True)
class Story:
    """One subject: its versions in order, what they refer to, and the level it ends with.

    ``was_free`` lets the versions in without a check, so that the page of the pair has a verdict to
    show that nobody would have been allowed to store.
    """

    subject: str
    versions: tuple[Schema, ...]
    references: tuple[Reference, ...] = ()
    level: str = ""
    was_free: bool = False


def _field(name: str, kind: Schema, doc: str = "", **members: Any) -> dict[str, Any]:
    documented = {"doc": doc} if doc else {}
    return {"name": name, "type": kind, **documented, **members}


def _optional(name: str, kind: Schema, doc: str = "") -> dict[str, Any]:
    return _field(name, ["null", kind], doc, default=None)


def _record(name: str, *fields: dict[str, Any], doc: str = "") -> dict[str, Any]:
    return {"type": "record", "name": name, "namespace": "shop", "doc": doc, "fields": list(fields)}


def _growing(name: str, first: list[dict[str, Any]], *steps: dict[str, Any], doc: str) -> tuple[Schema, ...]:
    """Make one version per step, each adding a field to the one before."""
    return tuple(_record(name, *first, *steps[:count], doc=doc) for count in range(len(steps) + 1))


UUID_TEXT: Final = {"type": "string", "logicalType": "uuid"}
MOMENT: Final = {"type": "long", "logicalType": "timestamp-millis"}
MONEY: Final = {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2}
STATUS: Final = {
    "type": "enum",
    "name": "OrderStatus",
    "symbols": ["UNKNOWN", "PLACED", "PAID", "SHIPPED"],
    "default": "UNKNOWN",
}
LINE: Final = {
    "type": "record",
    "name": "Line",
    "fields": [_field("sku", "string"), _field("quantity", "int"), _field("price", MONEY)],
}
ADDRESS: Final = _record(
    "Address",
    _field("street", "string"),
    _field("city", "string"),
    _field("country", "string", "ISO 3166-1, two letters"),
    doc="Where something is sent to; shared by several topics.",
)
AT_ADDRESS: Final = (Reference("shop.Address", "common-address", 1),)

STORIES: Final = (
    Story("common-address", (ADDRESS,), level="FULL_TRANSITIVE"),
    Story("orders-key", ("string",)),
    Story(
        "orders-value",
        _growing(
            "Order",
            [
                _field("id", UUID_TEXT, "Given by the shop"),
                _field("placed_at", MOMENT),
                _field("total", MONEY),
            ],
            _optional("customer_id", "string", "Absent for guests"),
            _field("status", STATUS, default="UNKNOWN"),
            _field("lines", {"type": "array", "items": LINE}, "What was bought", default=[]),
            doc="An order as the shop took it.",
        ),
    ),
    Story(
        "payments-value",
        _growing(
            "Payment",
            [_field("id", UUID_TEXT), _field("order_id", UUID_TEXT), _field("amount", MONEY)],
            _field("currency", "string", "ISO 4217", default="EUR"),
            doc="Money that arrived.",
        ),
        level="FULL",
    ),
    Story(
        "customers-value",
        _growing(
            "Customer",
            [_field("id", "string"), _field("name", "string"), _field("home", "Address")],
            _optional("billing", "Address", "Where invoices go, if not home"),
            doc="Who buys.",
        ),
        references=AT_ADDRESS,
    ),
    Story(
        "shipments-value",
        (
            _record(
                "Shipment",
                _field("order_id", UUID_TEXT),
                _field("to", "Address"),
                _field("sent_at", MOMENT),
                doc="A parcel on its way.",
            ),
        ),
        references=AT_ADDRESS,
        level="FORWARD",
    ),
    Story(
        "inventory-value",
        (
            _record("Stock", _field("sku", "string"), _field("count", "int"), doc="What is left."),
            _record(
                "Stock",
                _field("sku", "string"),
                _field("count", "string"),
                _field("shelf", "int"),
                doc="What is left.",
            ),
        ),
        was_free=True,
    ),
    Story(
        "clicks-value",
        _growing(
            "Click",
            [_field("session", "string"), _field("page", "string"), _field("at", MOMENT)],
            _optional("referrer", "string"),
            _field("tags", {"type": "map", "values": "string"}, default={}),
            doc="Somebody looked at something.",
        ),
        level="BACKWARD_TRANSITIVE",
    ),
    Story(
        "returns-value", (_record("Return", _field("order_id", UUID_TEXT), _optional("reason", "string")),)
    ),
    Story(
        "prices-value",
        (_record("Price", _field("sku", "string"), _field("price", MONEY), _field("since", MOMENT)),),
    ),
    Story(
        "shop/events/Größe 尺寸",
        (_record("SizeChart", _field("sku", "string"), _field("sizes", {"type": "array", "items": "int"})),),
    ),
    Story(
        "audit-value",
        (["null", "string", _record("Entry", _field("who", "string"), _field("what", "string"))],),
    ),
)


def seed_demo(scope: Scope) -> int:
    """Fill a namespace that never held anything; return the number of versions stored.

    A namespace that is in use is left alone, whatever was deleted from it.
    """
    if highest_id(scope, DEFAULT_CONTEXT):
        return 0
    seed_modules(scope)
    with transaction.atomic():
        return sum(_tell(scope, story) for story in STORIES)


def _tell(scope: Scope, story: Story) -> int:
    subject = split_subject(story.subject)
    if story.was_free:
        change_config(scope, subject, {LEVEL: "NONE"})
    for version in story.versions:
        schema = SchemaText(Format.AVRO, json.dumps(version), story.references)
        register_version(scope, RegisterVersion(subject, schema))
    if story.was_free or story.level:
        change_config(scope, subject, {LEVEL: story.level or None})
    return len(story.versions)
