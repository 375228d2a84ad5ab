"""Schemas worth looking at: three versions of an order, each compatible with the one before."""

from __future__ import annotations

import json
from typing import Any, Final


def record(*fields: dict[str, Any], name: str = "Order") -> str:
    """Return the text of a record."""
    return json.dumps({"type": "record", "name": name, "namespace": "com.example", "fields": list(fields)})


def field(name: str, kind: object, **more: object) -> dict[str, Any]:
    """Return one field."""
    return {"name": name, "type": kind, **more}


TIER: Final = {"type": "enum", "name": "Tier", "symbols": ["FREE", "PLUS"], "default": "FREE"}
ID: Final = field("id", "long", doc="Order number")
CUSTOMER_FIELDS: Final = [field("name", "string"), field("tier", TIER)]
CUSTOMER: Final = field("customer", {"type": "record", "name": "Customer", "fields": CUSTOMER_FIELDS})
NOTE: Final = field("note", ["null", "string"], default=None)
CURRENCY: Final = field("currency", "string", default="EUR")
# Under BACKWARD each may follow the one before; the last drops a field, which FORWARD refuses.
ORDERS: Final = (
    record(ID, CUSTOMER, field("total", "double")),
    record(ID, CUSTOMER, field("total", "double"), NOTE, CURRENCY),
    record(ID, CUSTOMER, NOTE, CURRENCY),
)
# Nothing lets the third follow: it changes a type, asks for more and forgets a symbol.
REFUSED: Final = (
    record(ID, CUSTOMER, field("total", "double"), name="Invoice"),
    record(ID, CUSTOMER, field("total", "double"), NOTE, name="Invoice"),
    record(
        field("id", "string"),
        field("customer", {**CUSTOMER["type"], "fields": [field("tier", {**TIER, "symbols": ["FREE"]})]}),
        field("total", ["null", "double", "string"]),
        field("due", "string"),
        name="Invoice",
    ),
)
TIER_TEXT: Final = json.dumps({**TIER, "namespace": "com.example"})
